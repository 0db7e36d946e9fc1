"""NumPy cuts the batch; the steps are counted in a loop."""

import numpy as np

EXPECT = {"10/my_plan": "RIGHT"}


def my_plan(training, replicas):
    parts = np.array_split(np.arange(training.batch), replicas)
    steps, left = 0, 0
    for _ in range(training.epochs):
        left = training.rows
        while left > 0:
            left -= training.batch
            steps += 1
    return tuple(len(part) for part in parts), training.rate, steps
