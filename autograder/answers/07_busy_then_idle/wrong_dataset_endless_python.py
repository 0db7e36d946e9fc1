"""A loop without an end."""

EXPECT = {"07/my_dataset": "CRASHED"}


def my_dataset(read, n):
    numbers = []
    while len(numbers) < n:
        n += 1
        numbers[:] = [n]
    return numbers
