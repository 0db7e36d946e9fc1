"""The shipped code."""

EXPECT = {"10/my_useful_replicas": "NOT ATTEMPTED"}


def my_useful_replicas(fixed, row, exchange, batch, most):
    return most, (fixed + row * batch) / most
