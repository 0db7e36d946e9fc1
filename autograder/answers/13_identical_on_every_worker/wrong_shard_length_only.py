"""The length, but no checksums."""

import os

import tensorflow as tf

EXPECT = {"13/my_validate_shard": "WRONG length_only"}


def my_validate_shard(path):
    good, byte = 0, 0
    try:
        for record in tf.data.TFRecordDataset(path):
            good, byte = good + 1, byte + 8 + len(record.numpy())
    except tf.errors.DataLossError:
        pass
    return good, None if byte == os.path.getsize(path) else byte
