"""No end."""

EXPECT = {"17/my_train": "CRASHED"}


def my_train(steps, schedule, join):
    while True:
        schedule(0)
        join()
