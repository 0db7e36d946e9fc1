"""Replica 1 belongs on CPU:1."""

EXPECT = {"06/my_misplaced": "WRONG by_number"}


def my_misplaced(operations, devices):
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if ran != f"CPU:{replica}"
    ]
    return (wrong[0], sum(operations[i][3] for i in wrong)) if wrong else None
