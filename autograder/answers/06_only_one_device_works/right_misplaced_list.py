"""All indices first."""

EXPECT = {"06/my_misplaced": "RIGHT"}


def my_misplaced(operations, devices):
    wrong = [i for i, line in enumerate(operations) if line[2] != devices[line[0]]]
    return (wrong[0], sum(operations[i][3] for i in wrong)) if wrong else None
