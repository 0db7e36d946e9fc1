"""Call work once for nothing and once inside the sum."""

import threading

EXPECT = {"05/my_update": "WRONG work_called_twice"}


def my_update(var, deltas, work):
    def one(delta):
        work(var.numpy(), delta)
        var.assign_add(work(var.numpy(), delta))

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
