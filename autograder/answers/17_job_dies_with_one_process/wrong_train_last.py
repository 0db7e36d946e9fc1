"""The last step is not waited for."""

EXPECT = {"17/my_train": "WRONG last_not_joined"}


def my_train(steps, schedule, join):
    for k in range(steps):
        join()
        schedule(k)
