"""The rows of the first line's replica."""

EXPECT = {"06/my_misplaced": "WRONG one_replica"}


def my_misplaced(operations, devices):
    found = None
    for index, (replica, _, ran, rows) in enumerate(operations):
        if ran != devices[replica]:
            if found is None:
                found = [index, rows, replica]
            elif replica == found[2]:
                found[1] += rows
    return found and tuple(found[:2])
