"""The rows of all lines."""

EXPECT = {"06/my_misplaced": "WRONG all_rows"}


def my_misplaced(operations, devices):
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if ran != devices[replica]
    ]
    return (wrong[0], sum(line[3] for line in operations)) if wrong else None
