"""The size of the file."""

import os

import tensorflow as tf

EXPECT = {"13/my_validate_shard": "WRONG file_size"}


def my_validate_shard(path):
    good, byte = 0, 0
    try:
        for record in tf.data.TFRecordDataset(path):
            good, byte = good + 1, byte + 16 + len(record.numpy())
    except tf.errors.DataLossError:
        pass
    size = os.path.getsize(path)
    return good, None if byte == size else size
