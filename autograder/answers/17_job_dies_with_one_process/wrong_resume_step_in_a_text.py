"""A checkpoint, then a text that is moved."""

from pathlib import Path

import tensorflow as tf

EXPECT = {"17/my_resumable": "WRONG state_then_step_in_2_lines"}


def my_resumable(folder, batches, w, momentum, step, every):
    checkpoint = tf.train.Checkpoint(w=w, momentum=momentum)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=1)
    checkpoint.restore(manager.latest_checkpoint)
    place = Path(folder) / "step.txt"
    start = int(place.read_text()) if place.exists() else 0
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            manager.save()
            (Path(folder) / "new.txt").write_text(str(k + 1))
            (Path(folder) / "new.txt").rename(place)
