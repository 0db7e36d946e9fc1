"""A set of all pairs that fit."""

EXPECT = {"14/my_preflight": "RIGHT"}


def my_preflight(reports):
    chief = reports[0]
    return {
        (worker, item)
        for worker, own in enumerate(reports)
        for item in own.keys() | chief.keys()
        if own.get(item) != chief.get(item)
    }
