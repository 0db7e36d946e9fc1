"""Join each thread before the next one starts."""

import threading

EXPECT = {"05/my_update": "WRONG one_at_a_time"}


def my_update(var, deltas, work):
    def one(delta):
        value = var.numpy()
        var.assign(value + work(value, delta))

    for delta in deltas:
        thread = threading.Thread(target=one, args=(delta,))
        thread.start()
        thread.join()
