"""The step is the checkpoint's number."""

import tensorflow as tf

EXPECT = {"17/my_resumable": "RIGHT"}


def my_resumable(folder, batches, w, momentum, step, every):
    checkpoint = tf.train.Checkpoint(w=w, momentum=momentum)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=3)
    start = 0
    if manager.latest_checkpoint:
        checkpoint.restore(manager.latest_checkpoint)
        start = int(manager.latest_checkpoint.rsplit("-", 1)[1])
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            manager.save(checkpoint_number=k + 1)
