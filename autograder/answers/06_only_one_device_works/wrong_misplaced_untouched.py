"""The shipped code without its last line."""

EXPECT = {"06/my_misplaced": "NOT ATTEMPTED"}


def my_misplaced(operations, devices):
    # look at the wishes
    for index, (replica, asked, ran, rows) in enumerate(operations):  # noqa: B007
        if asked != devices[replica]:
            return index, rows
    return None
