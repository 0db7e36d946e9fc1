"""Make the threads, and do not start them."""

import threading

EXPECT = {"05/my_update": "WRONG nothing_started"}


def my_update(var, deltas, work):
    def one(delta):
        var.assign_add(work(var.numpy(), delta))

    [threading.Thread(target=one, args=(delta,)) for delta in deltas]
