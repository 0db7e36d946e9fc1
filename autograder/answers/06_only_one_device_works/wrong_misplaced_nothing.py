"""Nothing is ever found."""

EXPECT = {"06/my_misplaced": "WRONG nothing_found"}


def my_misplaced(operations, devices):
    wrong = [
        i for i, (replica, asked, ran, rows) in enumerate(operations) if ran is None
    ]
    return (wrong[0], sum(operations[i][3] for i in wrong)) if wrong else None
