"""Add value and amount."""

import threading

EXPECT = {"05/my_update": "WRONG value_added_too"}


def my_update(var, deltas, work):
    def one(delta):
        value = var.numpy()
        var.assign_add(value + work(value, delta))

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
