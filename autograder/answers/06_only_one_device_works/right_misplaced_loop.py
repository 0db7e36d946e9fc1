"""One loop that remembers the first."""

EXPECT = {"06/my_misplaced": "RIGHT"}


def my_misplaced(operations, devices):
    first, total = None, 0
    for index, (replica, _, ran, rows) in enumerate(operations):
        if ran != devices[replica]:
            first = index if first is None else first
            total += rows
    return None if first is None else [first, float(total)]
