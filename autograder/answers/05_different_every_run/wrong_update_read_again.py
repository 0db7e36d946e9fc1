"""A fresh read before the write, without a lock."""

import threading

EXPECT = {"05/my_update": "WRONG gap_left_open"}


def my_update(var, deltas, work):
    def one(delta):
        added = work(var.numpy(), delta)
        var.assign(var + added)

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
