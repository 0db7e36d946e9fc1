"""Assign the sum of the results."""

from concurrent.futures import ThreadPoolExecutor

EXPECT = {"05/my_update": "WRONG start_lost"}


def my_update(var, deltas, work):
    with ThreadPoolExecutor() as pool:
        var.assign(sum(pool.map(lambda delta: work(var.numpy(), delta), deltas)))
