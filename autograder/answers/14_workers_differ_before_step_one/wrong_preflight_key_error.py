"""Not every report has every item."""

EXPECT = {"14/my_preflight": "CRASHED"}


def my_preflight(reports):
    found = set()
    chief = reports[0]
    for worker, own in enumerate(reports):
        for item in own:
            if own[item] != chief[item]:
                found.add((worker, item))
    return found
