"""It returns a sentence."""

EXPECT = {"17/my_fall_back": "CRASHED"}


def my_fall_back(log):
    return "it fell back"
