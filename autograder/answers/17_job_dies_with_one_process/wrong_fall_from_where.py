"""The step before the fall."""

EXPECT = {"17/my_fall_back": "WRONG from_where"}


def my_fall_back(log):
    for (_, last), (_, step) in zip(log, log[1:], strict=False):
        if step <= last:
            return last, last - step + 1
