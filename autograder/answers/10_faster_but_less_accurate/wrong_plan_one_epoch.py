"""The steps of one epoch."""

import math

EXPECT = {"10/my_plan": "WRONG one_epoch"}


def my_plan(training, replicas):
    each, more = divmod(training.batch, replicas)
    shares = [each + (replica < more) for replica in range(replicas)]
    return shares, training.rate, math.ceil(training.rows / training.batch)
