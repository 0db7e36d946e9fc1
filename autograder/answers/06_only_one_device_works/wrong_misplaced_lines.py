"""The number of lines."""

EXPECT = {"06/my_misplaced": "WRONG lines_not_rows"}


def my_misplaced(operations, devices):
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if ran != devices[replica]
    ]
    return (wrong[0], len(wrong)) if wrong else None
