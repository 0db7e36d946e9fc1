"""Checkpoint.write, always to one name."""

import os

import tensorflow as tf

EXPECT = {"17/my_resumable": "RIGHT"}


def my_resumable(folder, batches, w, momentum, step, every):
    done = tf.Variable(0)
    checkpoint = tf.train.Checkpoint(w=w, m=momentum, done=done)
    path = os.path.join(folder, "state")
    if os.path.exists(path + ".index"):
        checkpoint.read(path).assert_consumed()
    for k, (x, y) in enumerate(batches):
        if k < int(done):
            continue
        step(x, y)
        done.assign(k + 1)
        if (k + 1) % every == 0:
            checkpoint.write(path)
