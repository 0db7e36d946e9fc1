"""One too many."""

EXPECT = {"17/my_fall_back": "WRONG one_more"}


def my_fall_back(log):
    for (_, last), (_, step) in zip(log, log[1:], strict=False):
        if step <= last:
            return step, last - step + 2
