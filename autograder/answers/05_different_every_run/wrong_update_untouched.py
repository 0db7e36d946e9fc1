"""The shipped code, with a comment and without its docstring."""

import threading

EXPECT = {"05/my_update": "NOT ATTEMPTED"}


def my_update(var, deltas, work):
    # one thread for each delta
    def one_thread(delta):
        value = var.numpy()
        added = work(value, delta)
        var.assign(value + added)

    threads = [threading.Thread(target=one_thread, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
