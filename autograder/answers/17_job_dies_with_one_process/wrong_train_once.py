"""All in the queue, in another way."""

EXPECT = {"17/my_train": "WRONG joined_once"}


def my_train(steps, schedule, join):
    list(map(schedule, range(steps)))
    join()
