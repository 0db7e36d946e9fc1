"""All are named where one differs."""

EXPECT = {"14/my_preflight": "WRONG all_workers_named"}


def my_preflight(reports):
    found = set()
    chief = reports[0]
    for _worker, own in enumerate(reports):
        for item in {*own, *chief}:
            if own.get(item) != chief.get(item):
                found |= {(w, item) for w in range(len(reports))}
    return found
