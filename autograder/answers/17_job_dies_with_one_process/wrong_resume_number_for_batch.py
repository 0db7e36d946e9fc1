"""step gets the number, not the batch."""

import tensorflow as tf

EXPECT = {"17/my_resumable": "CRASHED"}


def my_resumable(folder, batches, w, momentum, step, every):
    done = tf.Variable(0)
    checkpoint = tf.train.Checkpoint(w=w, momentum=momentum, done=done)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    checkpoint.restore(manager.latest_checkpoint)
    for k in range(int(done), len(batches)):
        step(k)
        done.assign(k + 1)
        if (k + 1) % every == 0:
            manager.save()
