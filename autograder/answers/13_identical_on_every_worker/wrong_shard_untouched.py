"""The shipped code, renamed."""

import tensorflow as tf

EXPECT = {"13/my_validate_shard": "NOT ATTEMPTED"}


def my_validate_shard(path):
    records = tf.data.TFRecordDataset(path).ignore_errors()
    return sum(1 for _ in records), None
