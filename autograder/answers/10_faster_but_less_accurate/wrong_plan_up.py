"""Shares rounded up."""

import math

EXPECT = {"10/my_plan": "WRONG rounded_up_same_steps"}


def my_plan(training, replicas):
    return (
        [math.ceil(training.batch / replicas)] * replicas,
        training.rate,
        training.epochs * -(-training.rows // training.batch),
    )
