"""Momentum comes back, the step does not."""

import tensorflow as tf

EXPECT = {"17/my_resumable": "WRONG step_lost"}


def my_resumable(folder, batches, w, momentum, step, every):
    checkpoint = tf.train.Checkpoint(w=w, momentum=momentum)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    checkpoint.restore(manager.latest_checkpoint)
    for k, (x, y) in enumerate(batches):
        step(x, y)
        if (k + 1) % every == 0:
            manager.save()
