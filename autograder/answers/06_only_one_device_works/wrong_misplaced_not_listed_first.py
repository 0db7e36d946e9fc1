"""Any device of the list is right; rows of one line."""

EXPECT = {"06/my_misplaced": "WRONG not_listed_first_only"}


def my_misplaced(operations, devices):
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if ran not in devices
    ]
    return (wrong[0], operations[wrong[0]][3]) if wrong else None
