"""What the chief has not goes unseen."""

EXPECT = {"14/my_preflight": "WRONG chiefs_items"}


def my_preflight(reports):
    found = set()
    chief = reports[0]
    for worker, own in enumerate(reports):
        for item in chief:
            if own.get(item) != chief.get(item):
                found.add((worker, item))
    return found
