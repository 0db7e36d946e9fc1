"""No join."""

EXPECT = {"17/my_train": "WRONG never_joined"}


def my_train(steps, schedule, join):
    for k in range(steps):
        schedule(k)
