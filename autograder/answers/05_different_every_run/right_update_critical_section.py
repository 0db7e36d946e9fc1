"""TensorFlow's critical section around read and write."""

import threading

EXPECT = {"05/my_update": "RIGHT"}


def my_update(var, deltas, work):
    section = tf.CriticalSection()

    def one(delta):
        added = work(var.numpy(), delta)
        section.execute(lambda: var.assign(var + added))

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
