"""One lock around everything."""

import threading

EXPECT = {"05/my_update": "WRONG one_at_a_time"}


def my_update(var, deltas, work):
    lock = threading.Lock()

    def one(delta):
        with lock:
            var.assign_add(work(var.numpy(), delta))

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
