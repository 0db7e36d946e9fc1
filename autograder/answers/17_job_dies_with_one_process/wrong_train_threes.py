"""A join after every third step."""

EXPECT = {"17/my_train": "WRONG joined_every_third"}


def my_train(steps, schedule, join):
    for k in range(steps):
        schedule(k)
        if k % 3 == 2:
            join()
    join()
