"""It restores copies, not the variables themselves."""

import tensorflow as tf

EXPECT = {"17/my_resumable": "WRONG step_only"}


def my_resumable(folder, batches, w, momentum, step, every):
    done = tf.Variable(0)
    copies = [tf.Variable(w), tf.Variable(momentum)]
    reader = tf.train.Checkpoint(w=copies[0], momentum=copies[1], done=done)
    writer = tf.train.Checkpoint(w=w, momentum=momentum, done=done)
    manager = tf.train.CheckpointManager(writer, folder, max_to_keep=2)
    reader.restore(manager.latest_checkpoint)
    for k in range(int(done), len(batches)):
        step(*batches[k])
        done.assign(k + 1)
        if (k + 1) % every == 0:
            manager.save()
