"""It returns a time."""

EXPECT = {"17/my_fall_back": "CRASHED"}


def my_fall_back(log):
    for (_, last), (at, step) in zip(log, log[1:], strict=False):
        if step <= last:
            return at, last - step + 1
