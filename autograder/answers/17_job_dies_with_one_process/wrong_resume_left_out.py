"""It goes on one too late."""

import tensorflow as tf

EXPECT = {"17/my_resumable": "WRONG one_step_left_out"}


def my_resumable(folder, batches, w, momentum, step, every):
    done = tf.Variable(-1)
    checkpoint = tf.train.Checkpoint(w=w, momentum=momentum, done=done)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    checkpoint.restore(manager.latest_checkpoint)
    for k in range(int(done) + 1, len(batches)):
        step(*batches[k])
        done.assign(k + 1)
        if (k + 1) % every == 0:
            manager.save()
