"""Two checkpoints, one after the other."""

import os

import tensorflow as tf

EXPECT = {"17/my_resumable": "WRONG state_then_step"}


def my_resumable(folder, batches, w, momentum, step, every):
    done = tf.Variable(0)
    managers = []
    for name, parts in ("state", {"w": w, "m": momentum}), ("step", {"k": done}):
        checkpoint = tf.train.Checkpoint(**parts)
        place = os.path.join(folder, name)
        manager = tf.train.CheckpointManager(checkpoint, place, max_to_keep=2)
        checkpoint.restore(manager.latest_checkpoint)
        managers.append(manager)
    for k in range(int(done), len(batches)):
        step(*batches[k])
        done.assign(k + 1)
        if (k + 1) % every == 0:
            managers[0].save()
            managers[1].save()
