"""Two loops, and a list of lists."""

EXPECT = {"14/my_preflight": "RIGHT"}


def my_preflight(reports):
    found = []
    for worker in range(1, len(reports)):
        items = set(reports[worker]) | set(reports[0])
        for item in sorted(items):
            missing = object()
            theirs = reports[worker].get(item, missing)
            if theirs != reports[0].get(item, missing):
                found.append([worker, item])
    return found
