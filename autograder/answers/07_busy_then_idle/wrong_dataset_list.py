"""A list."""

EXPECT = {"07/my_dataset": "CRASHED"}


def my_dataset(read, n):
    return [read(i) for i in range(n)]
