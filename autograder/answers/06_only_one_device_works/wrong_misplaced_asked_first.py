"""The shipped rule, written in another way."""

EXPECT = {"06/my_misplaced": "WRONG asked_first_only"}


def my_misplaced(operations, devices):
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if asked != devices[replica]
    ]
    return (wrong[0], operations[wrong[0]][3]) if wrong else None
