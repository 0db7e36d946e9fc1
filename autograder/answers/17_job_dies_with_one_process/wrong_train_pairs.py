"""A join after every second step."""

EXPECT = {"17/my_train": "WRONG joined_once"}


def my_train(steps, schedule, join):
    for k in range(steps):
        schedule(k)
        if k % 2:
            join()
    join()
