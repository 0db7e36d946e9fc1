"""Weights and step in two files."""

import os

import tensorflow as tf

EXPECT = {"17/my_resumable": "WRONG state_then_step_in_3_lines"}


def my_resumable(folder, batches, w, momentum, step, every):
    checkpoint = tf.train.Checkpoint(w=w, momentum=momentum)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=1)
    checkpoint.restore(manager.latest_checkpoint)
    place = os.path.join(folder, "step.txt")
    start = 0
    if os.path.exists(place):
        with open(place) as file:
            start = int(file.read())
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            manager.save()
            with open(place + ".new", "w") as file:
                file.write(str(k + 1))
            os.replace(place + ".new", place)
