"""Add the deltas without work."""

import threading

EXPECT = {"05/my_update": "WRONG work_not_called"}


def my_update(var, deltas, work):
    def one(delta):
        var.assign_add(delta)

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
