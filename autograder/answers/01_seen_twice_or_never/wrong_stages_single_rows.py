"""Single rows, taken in turn."""

EXPECT = {"01/my_stages": "WRONG one_row_each"}


def my_stages():
    return [from_function]
