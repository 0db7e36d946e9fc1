"""Read and write in a tf.function, inside a shared lock."""

import threading

EXPECT = {"05/my_update": "RIGHT"}


def my_update(var, deltas, work):
    lock = threading.Lock()
    add = tf.function(lambda added: var.assign(var + added))

    def one(delta):
        added = tf.constant(work(var.numpy(), delta))
        with lock:
            add(added)

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
