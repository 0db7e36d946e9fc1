"""The place in the log."""

EXPECT = {"17/my_fall_back": "WRONG place_in_the_log"}


def my_fall_back(log):
    for i in range(1, len(log)):
        if log[i][1] <= log[i - 1][1]:
            return i, log[i - 1][1] - log[i][1] + 1
