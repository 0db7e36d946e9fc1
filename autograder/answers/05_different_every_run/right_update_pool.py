"""A pool computes, the caller adds once."""

from concurrent.futures import ThreadPoolExecutor

EXPECT = {"05/my_update": "RIGHT"}


def my_update(var, deltas, work):
    value = var.numpy()
    with ThreadPoolExecutor(len(deltas)) as pool:
        added = list(pool.map(lambda delta: work(value, delta), deltas))
    var.assign_add(sum(added))
