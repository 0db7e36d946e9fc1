"""All rows from the first misplaced line on."""

EXPECT = {"06/my_misplaced": "WRONG rows_from_there"}


def my_misplaced(operations, devices):
    first, total = None, 0
    for index, (replica, _, ran, rows) in enumerate(operations):
        if first is None and ran != devices[replica]:
            first = index
        if first is not None:
            total += rows
    return None if first is None else (first, total)
