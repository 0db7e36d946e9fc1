"""Rows are dealt out one by one."""

import numpy as np

EXPECT = {"10/my_plan": "RIGHT"}


def my_plan(training, replicas):
    shares = [0] * replicas
    for row in range(training.batch):
        shares[row % replicas] += 1
    return np.array(shares), training.rate, training.steps
