"""Any device of the list is right."""

EXPECT = {"06/my_misplaced": "WRONG not_listed"}


def my_misplaced(operations, devices):
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if ran not in devices
    ]
    return (wrong[0], sum(operations[i][3] for i in wrong)) if wrong else None
