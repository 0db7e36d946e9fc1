"""The shipped code."""

EXPECT = {"17/my_fall_back": "NOT ATTEMPTED"}


def my_fall_back(log):
    for (before, last), (after, step) in zip(log, log[1:]):  # noqa: B905
        if after - before > 1.0:
            return step, max(last - step + 1, 0)
