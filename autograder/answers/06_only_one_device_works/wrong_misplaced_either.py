"""Asked or ran."""

EXPECT = {"06/my_misplaced": "WRONG asked_or_ran"}


def my_misplaced(operations, devices):
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if asked != devices[replica] or ran != devices[replica]
    ]
    return (wrong[0], sum(operations[i][3] for i in wrong)) if wrong else None
