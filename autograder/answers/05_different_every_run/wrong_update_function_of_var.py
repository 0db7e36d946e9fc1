"""A tf.function outside that takes the variable."""

import threading

EXPECT = {"05/my_update": "WRONG gap_left_open"}


@tf.function
def add_to(variable, added):
    variable.assign(variable + added)


def my_update(var, deltas, work):
    def one(delta):
        add_to(var, tf.constant(work(var.numpy(), delta)))

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
