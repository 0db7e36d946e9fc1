"""The largest fall."""

EXPECT = {"17/my_fall_back": "WRONG largest_fall"}


def my_fall_back(log):
    falls = [
        (last - step + 1, step)
        for (_, last), (_, step) in zip(log, log[1:], strict=False)
        if step <= last
    ]
    return max(falls)[::-1] if falls else None
