"""Written in another way, wrong in the same."""

import tensorflow as tf

EXPECT = {"17/my_resumable": "WRONG weights_only"}


def my_resumable(folder, batches, w, momentum, step, every):
    checkpoint = tf.train.Checkpoint(weights=w)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    checkpoint.restore(manager.latest_checkpoint)
    for k in range(len(batches)):
        step(*batches[k])
        if k % every == every - 1:
            manager.save()
