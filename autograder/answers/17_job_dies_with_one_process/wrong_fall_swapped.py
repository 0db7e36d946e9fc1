"""The other way round."""

EXPECT = {"17/my_fall_back": "WRONG swapped"}


def my_fall_back(log):
    for (_, last), (_, step) in zip(log, log[1:], strict=False):
        if step <= last:
            return last - step + 1, step
