"""Call work, then add the delta."""

import threading

EXPECT = {"05/my_update": "WRONG result_not_used"}


def my_update(var, deltas, work):
    def one(delta):
        work(var.numpy(), delta)
        var.assign_add(delta)

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
