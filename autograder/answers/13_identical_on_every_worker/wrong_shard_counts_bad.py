"""The bad record is counted."""

import os

import tensorflow as tf

EXPECT = {"13/my_validate_shard": "WRONG bad_one_counted"}


def my_validate_shard(path):
    good, byte = 0, 0
    try:
        for record in tf.data.TFRecordDataset(path):
            good, byte = good + 1, byte + 16 + len(record.numpy())
    except tf.errors.DataLossError:
        pass
    whole = byte == os.path.getsize(path)
    return (good, None) if whole else (good + 1, byte)
