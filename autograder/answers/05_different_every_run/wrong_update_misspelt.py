"""A misspelt method in a thread."""

import threading

EXPECT = {"05/my_update": "CRASHED"}


def my_update(var, deltas, work):
    def one(delta):
        var.asign_add(work(var.numpy(), delta))

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
