"""Where it ran against what it asked for."""

EXPECT = {"06/my_misplaced": "WRONG not_as_asked"}


def my_misplaced(operations, devices):
    wrong = [
        i for i, (replica, asked, ran, rows) in enumerate(operations) if ran != asked
    ]
    return (wrong[0], sum(operations[i][3] for i in wrong)) if wrong else None
