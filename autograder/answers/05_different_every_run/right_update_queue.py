"""The caller takes the results from a queue and adds each."""

import queue
import threading

EXPECT = {"05/my_update": "RIGHT"}


def my_update(var, deltas, work):
    results = queue.Queue()

    def one(delta):
        results.put(work(var.numpy(), delta))

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for _ in threads:
        var.assign_add(results.get())
