"""A pool's futures, added up and assigned by the caller."""

from concurrent.futures import ThreadPoolExecutor

EXPECT = {"05/my_update": "RIGHT"}


def my_update(var, deltas, work):
    with ThreadPoolExecutor() as pool:
        futures = [pool.submit(work, var.numpy(), delta) for delta in deltas]
    var.assign(var + sum(future.result() for future in futures))
