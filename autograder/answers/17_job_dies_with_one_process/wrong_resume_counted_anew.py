"""enumerate counts from 0 after a start."""

import tensorflow as tf

EXPECT = {"17/my_resumable": "WRONG counted_anew"}


def my_resumable(folder, batches, w, momentum, step, every):
    done = tf.Variable(0)
    checkpoint = tf.train.Checkpoint(w=w, momentum=momentum, done=done)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    checkpoint.restore(manager.latest_checkpoint)
    for k, (x, y) in enumerate(batches[int(done) :]):
        step(x, y)
        done.assign(k + 1)
        if (k + 1) % every == 0:
            manager.save()
