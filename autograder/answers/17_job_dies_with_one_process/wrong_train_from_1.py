"""From 1."""

EXPECT = {"17/my_train": "WRONG first_left_out"}


def my_train(steps, schedule, join):
    for k in range(1, steps):
        schedule(k)
        join()
