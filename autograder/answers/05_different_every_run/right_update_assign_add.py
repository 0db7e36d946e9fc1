"""One operation of the variable adds."""

import threading

EXPECT = {"05/my_update": "RIGHT"}


def my_update(var, deltas, work):
    def one(delta):
        var.assign_add(work(var.numpy(), delta))

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
