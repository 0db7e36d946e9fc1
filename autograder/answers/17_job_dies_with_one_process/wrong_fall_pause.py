"""A pause of another length, as shipped."""

EXPECT = {"17/my_fall_back": "WRONG a_pause"}


def my_fall_back(log):
    for (before, last), (after, step) in zip(log, log[1:], strict=False):
        if after > before + 0.9:
            return step, max(0, last + 1 - step)
