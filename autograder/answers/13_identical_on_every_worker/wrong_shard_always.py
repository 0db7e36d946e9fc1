"""A byte for sound files too."""

import tensorflow as tf

EXPECT = {"13/my_validate_shard": "WRONG always_a_byte"}


def my_validate_shard(path):
    good, byte = 0, 0
    try:
        for record in tf.data.TFRecordDataset(path):
            good, byte = good + 1, byte + 16 + len(record.numpy())
    except tf.errors.DataLossError:
        pass
    return good, byte
