"""The last step twice."""

EXPECT = {"17/my_train": "WRONG last_twice"}


def my_train(steps, schedule, join):
    for k in range(steps + 1):
        schedule(min(k, steps - 1))
        join()
