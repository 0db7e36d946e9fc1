"""An iterator by hand."""

import tensorflow as tf

EXPECT = {"13/my_validate_shard": "RIGHT"}


def my_validate_shard(path):
    records, good, byte = iter(tf.data.TFRecordDataset([path])), 0, 0
    while True:
        try:
            data = next(records).numpy()
        except (StopIteration, tf.errors.OpError):
            break
        good += 1
        byte += 8 + 4 + len(data) + 4
    with open(path, "rb") as file:
        return (good, byte) if file.read()[byte:] else (good, None)
