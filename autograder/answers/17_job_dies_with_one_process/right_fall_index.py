"""By the place in the log."""

EXPECT = {"17/my_fall_back": "RIGHT"}


def my_fall_back(log):
    for i in range(1, len(log)):
        if log[i][1] != log[i - 1][1] + 1:
            return log[i][1], log[i - 1][1] - log[i][1] + 1
