"""A shared lock around a fresh read and the write."""

import threading

EXPECT = {"05/my_update": "RIGHT"}


def my_update(var, deltas, work):
    lock = threading.Lock()

    def one(delta):
        added = work(var.numpy(), delta)
        with lock:
            var.assign(var.numpy() + added)

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
