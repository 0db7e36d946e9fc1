"""What is missing goes unseen."""

EXPECT = {"14/my_preflight": "WRONG own_items"}


def my_preflight(reports):
    found = set()
    chief = reports[0]
    for worker, own in enumerate(reports):
        for item in own:
            if own.get(item) != chief.get(item):
                found.add((worker, item))
    return found
