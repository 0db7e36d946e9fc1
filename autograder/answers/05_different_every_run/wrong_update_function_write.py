"""The write is a tf.function."""

import threading

EXPECT = {"05/my_update": "WRONG lost_updates"}


def my_update(var, deltas, work):
    write = tf.function(lambda value: var.assign(value))

    def one(delta):
        value = var.numpy()
        write(tf.constant(value + work(value, delta)))

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
