"""One entry too far."""

EXPECT = {"17/my_fall_back": "CRASHED"}


def my_fall_back(log):
    for i in range(len(log)):
        if log[i + 1][1] <= log[i][1]:
            return log[i + 1][1], log[i][1] - log[i + 1][1] + 1
