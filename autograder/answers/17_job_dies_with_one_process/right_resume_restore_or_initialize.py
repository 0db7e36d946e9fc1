"""The manager restores; it saves after every step."""

import tensorflow as tf

EXPECT = {"17/my_resumable": "RIGHT"}


def my_resumable(folder, batches, w, momentum, step, every):
    done = tf.Variable(0, dtype=tf.int64)
    checkpoint = tf.train.Checkpoint(state=[w, momentum], done=done)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=1)
    manager.restore_or_initialize()
    while int(done) < len(batches):
        x, y = batches[int(done)]
        step(x, y)
        done.assign_add(1)
        manager.save()
