"""The read in a lock, later the write in the same lock."""

import threading

EXPECT = {"05/my_update": "WRONG lost_updates"}


def my_update(var, deltas, work):
    lock = threading.Lock()

    def one(delta):
        with lock:
            value = var.numpy()
        added = work(value, delta)
        with lock:
            var.assign(value + added)

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
