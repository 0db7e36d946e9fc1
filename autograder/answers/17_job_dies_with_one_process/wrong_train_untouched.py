"""The shipped code."""

EXPECT = {"17/my_train": "NOT ATTEMPTED"}


def my_train(steps, schedule, join):
    for k in range(steps):
        schedule(k)
    join()
