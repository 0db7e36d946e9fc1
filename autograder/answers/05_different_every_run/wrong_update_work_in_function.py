"""work inside a tf.function gets tensors without values."""

import threading

EXPECT = {"05/my_update": "CRASHED"}


def my_update(var, deltas, work):
    @tf.function
    def one(delta):
        var.assign_add(work(var.read_value(), delta))

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
