"""(0, 0) where nothing is misplaced."""

EXPECT = {"06/my_misplaced": "WRONG zeros_for_none"}


def my_misplaced(operations, devices):
    first, total = 0, 0
    for index, (replica, _, ran, rows) in enumerate(operations):
        if ran != devices[replica]:
            first = first if total else index
            total += rows
    return first, total
