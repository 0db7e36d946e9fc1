"""Only workers 0 and 1."""

EXPECT = {"14/my_preflight": "WRONG two_workers"}


def my_preflight(reports):
    chief, own = reports[:2]
    return {(1, i) for i in {*own, *chief} if own.get(i) != chief.get(i)}
