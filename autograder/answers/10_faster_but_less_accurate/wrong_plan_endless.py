"""A loop that never ends."""

EXPECT = {"10/my_plan": "CRASHED"}


def my_plan(training, replicas):
    left = training.batch
    while left > 0:
        left = left + 0
    return [left] * replicas, training.rate, 1
