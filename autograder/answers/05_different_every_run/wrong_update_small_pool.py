"""A pool of two threads."""

from concurrent.futures import ThreadPoolExecutor

EXPECT = {"05/my_update": "WRONG two_at_a_time"}


def my_update(var, deltas, work):
    with ThreadPoolExecutor(2) as pool:
        for added in pool.map(lambda delta: work(var.numpy(), delta), deltas):
            var.assign_add(added)
