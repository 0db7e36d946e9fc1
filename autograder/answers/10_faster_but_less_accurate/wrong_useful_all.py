"""All replicas, with the right time."""

import math

EXPECT = {"10/my_useful_replicas": "WRONG all_replicas"}


def my_useful_replicas(fixed, row, exchange, batch, most):
    return most, fixed + row * math.ceil(batch / most) + exchange * (most - 1)
