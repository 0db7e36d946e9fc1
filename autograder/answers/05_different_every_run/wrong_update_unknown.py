"""Subtract the amount: no known mistake."""

import threading

EXPECT = {"05/my_update": "WRONG"}


def my_update(var, deltas, work):
    def one(delta):
        var.assign_sub(work(var.numpy(), delta))

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
