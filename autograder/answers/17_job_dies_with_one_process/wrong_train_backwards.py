"""Backwards."""

EXPECT = {"17/my_train": "WRONG backwards"}


def my_train(steps, schedule, join):
    for k in reversed(range(steps)):
        schedule(k)
        join()
