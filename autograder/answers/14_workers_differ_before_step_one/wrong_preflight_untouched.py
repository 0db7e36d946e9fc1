"""The shipped code, renamed."""

EXPECT = {"14/my_preflight": "NOT ATTEMPTED"}


def my_preflight(reports):
    found = set()
    for worker in range(1, len(reports)):
        for item, value in reports[worker].items():
            if value != reports[worker - 1].get(item):
                found.add((worker, item))
    return found
