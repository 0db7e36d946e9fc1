"""The last fall."""

EXPECT = {"17/my_fall_back": "WRONG last_fall"}


def my_fall_back(log):
    found = None
    for (_, last), (_, step) in zip(log, log[1:], strict=False):
        if step <= last:
            found = step, last - step + 1
    return found
