"""It prints, and returns nothing."""

EXPECT = {"14/my_preflight": "CRASHED"}


def my_preflight(reports):
    found = set()
    chief = reports[0]
    for worker, own in enumerate(reports):
        for item in {*own, *chief}:
            if own.get(item) != chief.get(item):
                print(worker, item)
    print(found)
