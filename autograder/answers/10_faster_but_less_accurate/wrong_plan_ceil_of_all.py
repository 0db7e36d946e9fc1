"""Rounded up once for all epochs."""

import math

EXPECT = {"10/my_plan": "WRONG rounded_up_after_the_epochs"}


def my_plan(training, replicas):
    each, more = divmod(training.batch, replicas)
    shares = [each + (replica < more) for replica in range(replicas)]
    return (
        shares,
        training.rate,
        math.ceil(training.epochs * training.rows / training.batch),
    )
