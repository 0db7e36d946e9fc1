"""assign_add inside a tf.function."""

import threading

EXPECT = {"05/my_update": "RIGHT"}


def my_update(var, deltas, work):
    add = tf.function(lambda added: var.assign_add(added))

    def one(delta):
        add(tf.constant(work(var.numpy(), delta)))

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
