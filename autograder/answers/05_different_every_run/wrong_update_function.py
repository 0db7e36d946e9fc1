"""Read and write in one tf.function."""

import threading

EXPECT = {"05/my_update": "WRONG gap_left_open"}


def my_update(var, deltas, work):
    add = tf.function(lambda added: var.assign(var + added))

    def one(delta):
        add(tf.constant(work(var.numpy(), delta)))

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
