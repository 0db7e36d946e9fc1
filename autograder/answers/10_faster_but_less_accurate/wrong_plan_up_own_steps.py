"""Shares rounded up, and steps for the larger batch."""

import math

EXPECT = {"10/my_plan": "WRONG rounded_up"}


def my_plan(training, replicas):
    shares = [math.ceil(training.batch / replicas)] * replicas
    return (
        shares,
        training.rate,
        training.epochs * math.ceil(training.rows / sum(shares)),
    )
