"""Two checkpoints, the step first."""

import os

import tensorflow as tf

EXPECT = {"17/my_resumable": "WRONG step_then_state"}


def my_resumable(folder, batches, w, momentum, step, every):
    done = tf.Variable(0)
    state = tf.train.Checkpoint(w=w, momentum=momentum)
    position = tf.train.Checkpoint(done=done)
    places = [os.path.join(folder, name) for name in ("state", "position")]
    for checkpoint, place in zip((state, position), places, strict=True):
        if os.path.exists(place + ".index"):
            checkpoint.read(place)
    for k in range(int(done), len(batches)):
        step(*batches[k])
        done.assign(k + 1)
        if (k + 1) % every == 0:
            position.write(places[1])
            state.write(places[0])
