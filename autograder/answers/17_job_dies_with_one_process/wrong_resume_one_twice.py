"""The step just made is saved as the next."""

import tensorflow as tf

EXPECT = {"17/my_resumable": "WRONG one_step_twice"}


def my_resumable(folder, batches, w, momentum, step, every):
    done = tf.Variable(0)
    checkpoint = tf.train.Checkpoint(w=w, momentum=momentum, done=done)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    checkpoint.restore(manager.latest_checkpoint)
    for k in range(int(done), len(batches)):
        step(*batches[k])
        done.assign(k)
        if (k + 1) % every == 0:
            manager.save()
