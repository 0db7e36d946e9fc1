"""Each thing in a checkpoint of its own."""

import os

import tensorflow as tf

EXPECT = {"17/my_resumable": "WRONG weights_then_the_rest"}


def my_resumable(folder, batches, w, momentum, step, every):
    done = tf.Variable(0)
    parts = {"w": w, "momentum": momentum, "done": done}
    for name, part in parts.items():
        path = os.path.join(folder, name)
        if os.path.exists(path + ".index"):
            tf.train.Checkpoint(part=part).read(path)
    for k in range(int(done), len(batches)):
        step(*batches[k])
        done.assign(k + 1)
        if (k + 1) % every == 0:
            for name, part in parts.items():
                tf.train.Checkpoint(part=part).write(os.path.join(folder, name))
