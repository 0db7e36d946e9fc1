"""A pool keeps the error of a misspelt name for itself."""

from concurrent.futures import ThreadPoolExecutor

EXPECT = {"05/my_update": "WRONG nothing_written"}


def my_update(var, deltas, work):
    def one(delta):
        added = work(var.numpy(), delta)
        var.asign_add(added)

    with ThreadPoolExecutor() as pool:
        for delta in deltas:
            pool.submit(one, delta)
