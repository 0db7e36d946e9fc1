"""An iterator over the batches starts anew."""

import tensorflow as tf

EXPECT = {"17/my_resumable": "WRONG batches_from_the_first"}


def my_resumable(folder, batches, w, momentum, step, every):
    done = tf.Variable(0)
    checkpoint = tf.train.Checkpoint(w=w, momentum=momentum, done=done)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    checkpoint.restore(manager.latest_checkpoint)
    data = iter(batches)
    while int(done) < len(batches):
        step(*next(data))
        done.assign_add(1)
        if int(done) % every == 0:
            manager.save()
