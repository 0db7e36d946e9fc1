"""Tensors are numbers too."""

import os

import tensorflow as tf

EXPECT = {"13/my_validate_shard": "RIGHT"}


def my_validate_shard(path):
    good, byte = 0, 0
    try:
        for record in tf.data.TFRecordDataset(path):
            good, byte = good + 1, byte + 16 + tf.strings.length(record)
    except tf.errors.DataLossError:
        pass
    whole = byte == os.path.getsize(path)
    return tf.constant(good), None if whole else byte
