"""Only the batch is returned."""

EXPECT = {"10/my_same_training": "CRASHED"}


def my_same_training(run, alone):
    return 8
