"""The shipped code with another comment."""

import tensorflow as tf

EXPECT = {"17/my_resumable": "NOT ATTEMPTED"}


def my_resumable(folder, batches, w, momentum, step, every):
    """Train on."""
    checkpoint = tf.train.Checkpoint(w=w)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    checkpoint.restore(manager.latest_checkpoint)
    # one step after the other
    for k, (x, y) in enumerate(batches):
        step(x, y)
        if (k + 1) % every == 0:
            manager.save()
