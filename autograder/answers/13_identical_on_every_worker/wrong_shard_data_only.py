"""The data only."""

import os

import tensorflow as tf

EXPECT = {"13/my_validate_shard": "WRONG without_frame"}


def my_validate_shard(path):
    good, byte = 0, 0
    try:
        for record in tf.data.TFRecordDataset(path):
            good, byte = good + 1, byte + len(record.numpy())
    except tf.errors.DataLossError:
        pass
    return good, None if byte == os.path.getsize(path) else byte
