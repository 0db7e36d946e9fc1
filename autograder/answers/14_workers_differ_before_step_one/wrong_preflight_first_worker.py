"""It ends at the first worker that differs."""

EXPECT = {"14/my_preflight": "WRONG first_worker_only"}


def my_preflight(reports):
    found = set()
    chief = reports[0]
    for worker, own in enumerate(reports):
        for item in {*own, *chief}:
            if own.get(item) != chief.get(item):
                found.add((worker, item))
        if found:
            return found
    return found
