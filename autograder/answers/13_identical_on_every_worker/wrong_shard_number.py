"""One number only."""

import tensorflow as tf

EXPECT = {"13/my_validate_shard": "CRASHED"}


def my_validate_shard(path):
    good, byte = 0, 0
    try:
        for _record in tf.data.TFRecordDataset(path):
            good, byte = good + 1, byte + 16
    except tf.errors.DataLossError:
        pass
    return good
