"""Every thread has a lock of its own."""

import threading

EXPECT = {"05/my_update": "WRONG gap_left_open"}


def my_update(var, deltas, work):
    def one(delta):
        lock = threading.Lock()
        added = work(var.numpy(), delta)
        with lock:
            var.assign(var.numpy() + added)

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
