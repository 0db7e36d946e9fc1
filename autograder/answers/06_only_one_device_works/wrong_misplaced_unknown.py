"""Twice the rows: no known mistake."""

EXPECT = {"06/my_misplaced": "WRONG"}


def my_misplaced(operations, devices):
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if ran != devices[replica]
    ]
    return (wrong[0], 2 * sum(operations[i][3] for i in wrong)) if wrong else None
