"""Add the mean of the results, as for gradients."""

from concurrent.futures import ThreadPoolExecutor

EXPECT = {"05/my_update": "WRONG averaged"}


def my_update(var, deltas, work):
    with ThreadPoolExecutor() as pool:
        added = list(pool.map(lambda delta: work(var.numpy(), delta), deltas))
    var.assign_add(sum(added) / len(added))
