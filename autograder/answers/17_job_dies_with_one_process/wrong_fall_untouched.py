"""The shipped code."""

EXPECT = {"17/my_fall_back": "NOT ATTEMPTED"}


def my_fall_back(log):
    for i in range(1, len(log)):
        (before, last), (after, step) = log[i - 1], log[i]
        if after - before > 1.0:
            return step, max(last - step + 1, 0)
