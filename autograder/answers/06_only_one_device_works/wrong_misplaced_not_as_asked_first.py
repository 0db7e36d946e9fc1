"""The same, rows of one line."""

EXPECT = {"06/my_misplaced": "WRONG not_as_asked_first_only"}


def my_misplaced(operations, devices):
    wrong = [
        i for i, (replica, asked, ran, rows) in enumerate(operations) if ran != asked
    ]
    return (wrong[0], operations[wrong[0]][3]) if wrong else None
