"""A lock around the write only."""

import threading

EXPECT = {"05/my_update": "WRONG lost_updates"}


def my_update(var, deltas, work):
    lock = threading.Lock()

    def one(delta):
        value = var.numpy()
        added = work(value, delta)
        with lock:
            var.assign(value + added)

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
