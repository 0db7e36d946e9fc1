"""Names in quotes."""

EXPECT = {"01/my_stages": "CRASHED"}


def my_stages():
    return ["batch_rows", "distribute"]
