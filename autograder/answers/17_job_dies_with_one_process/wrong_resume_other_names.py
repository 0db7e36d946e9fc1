"""It saves under other names than it reads: silently nothing."""

import tensorflow as tf

EXPECT = {"17/my_resumable": "WRONG never_restored"}


def my_resumable(folder, batches, w, momentum, step, every):
    done = tf.Variable(0)
    saved = tf.train.Checkpoint(w=w, momentum=momentum, done=done)
    manager = tf.train.CheckpointManager(saved, folder, max_to_keep=2)
    read = tf.train.Checkpoint(weights=w, velocity=momentum, step=done)
    read.restore(manager.latest_checkpoint).expect_partial()
    for k in range(int(done), len(batches)):
        step(*batches[k])
        done.assign(k + 1)
        if (k + 1) % every == 0:
            manager.save()
