"""Only the index."""

EXPECT = {"06/my_misplaced": "CRASHED"}


def my_misplaced(operations, devices):
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if ran != devices[replica]
    ]
    return wrong[0] if wrong else None
