"""In one line."""

EXPECT = {"17/my_train": "RIGHT"}


def my_train(steps, schedule, join):
    return [(schedule(k), join()) for k in range(steps)]
