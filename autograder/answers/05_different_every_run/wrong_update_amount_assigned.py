"""Assign the amount instead of adding it."""

import threading

EXPECT = {"05/my_update": "WRONG amount_assigned"}


def my_update(var, deltas, work):
    def one(delta):
        var.assign(work(var.numpy(), delta))

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
