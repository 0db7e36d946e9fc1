"""Weights are not compared."""

EXPECT = {"14/my_preflight": "WRONG weights_left_out"}


def my_preflight(reports):
    found = set()
    chief = reports[0]
    for worker, own in enumerate(reports):
        for item in {*own, *chief} - {"weights"}:
            if own.get(item) != chief.get(item):
                found.add((worker, item))
    return found
