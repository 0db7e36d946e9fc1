"""Ideal speed, written in another way."""

EXPECT = {"10/my_useful_replicas": "WRONG ideal_speed"}


def my_useful_replicas(fixed, row, exchange, batch, most):
    alone = fixed + row * batch
    return most, alone / most
