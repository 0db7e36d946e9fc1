"""The shipped comparison, written differently."""

EXPECT = {"00/my_spread": "WRONG first_and_last"}


def my_spread(copies):
    first, last = copies[0], copies[-1]
    return max(abs(first - last))
