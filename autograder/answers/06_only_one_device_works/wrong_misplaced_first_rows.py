"""The rows of the first line."""

EXPECT = {"06/my_misplaced": "WRONG first_only"}


def my_misplaced(operations, devices):
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if ran != devices[replica]
    ]
    return (wrong[0], operations[wrong[0]][3]) if wrong else None
