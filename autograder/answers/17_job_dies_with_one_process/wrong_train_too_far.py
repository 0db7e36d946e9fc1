"""One step too many."""

EXPECT = {"17/my_train": "CRASHED"}


def my_train(steps, schedule, join):
    for k in range(steps + 1):
        schedule(k)
        join()
