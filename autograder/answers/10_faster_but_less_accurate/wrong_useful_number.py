"""Only the number."""

EXPECT = {"10/my_useful_replicas": "CRASHED"}


def my_useful_replicas(fixed, row, exchange, batch, most):
    return most
