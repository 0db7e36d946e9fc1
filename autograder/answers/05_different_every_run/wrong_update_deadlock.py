"""A thread takes the same lock twice and waits for itself."""

import threading

EXPECT = {"05/my_update": "CRASHED"}


def my_update(var, deltas, work):
    lock = threading.Lock()

    def one(delta):
        added = work(var.numpy(), delta)
        with lock, lock:
            var.assign_add(added)

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
