"""Always step 0."""

EXPECT = {"17/my_train": "WRONG always_the_first"}


def my_train(steps, schedule, join):
    for _ in range(steps):
        schedule(0)
        join()
