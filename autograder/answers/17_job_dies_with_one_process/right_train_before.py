"""A join before each step, and one at the end."""

EXPECT = {"17/my_train": "RIGHT"}


def my_train(steps, schedule, join):
    k = 0
    while k < steps:
        join()
        schedule(k)
        k += 1
    join()
