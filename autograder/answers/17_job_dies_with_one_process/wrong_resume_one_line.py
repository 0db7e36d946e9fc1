"""Two files are written on one line."""

from pathlib import Path

import tensorflow as tf

EXPECT = {"17/my_resumable": "WRONG"}


def my_resumable(folder, batches, w, momentum, step, every):
    checkpoint = tf.train.Checkpoint(w=w, momentum=momentum)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    checkpoint.restore(manager.latest_checkpoint)
    file = Path(folder, "step.txt")
    first = int(file.read_text()) if file.exists() else 0
    for k in range(first, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            _ = manager.save(), file.write_text(str(k + 1))
