"""Give work a zero instead of what was read."""

import threading

EXPECT = {"05/my_update": "WRONG value_not_read"}


def my_update(var, deltas, work):
    def one(delta):
        var.assign_add(work(0.0, delta))

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
