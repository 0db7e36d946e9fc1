"""All items, of neighbours."""

EXPECT = {"14/my_preflight": "WRONG neighbours_all_items"}


def my_preflight(reports):
    found = set()
    for worker in range(1, len(reports)):
        own, before = reports[worker], reports[worker - 1]
        found |= {(worker, i) for i in {*own, *before} if own.get(i) != before.get(i)}
    return found
