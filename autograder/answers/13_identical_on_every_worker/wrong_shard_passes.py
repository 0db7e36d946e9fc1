"""An except that passes."""

import tensorflow as tf

EXPECT = {"13/my_validate_shard": "WRONG errors_ignored"}


def my_validate_shard(path):
    good, byte = 0, 0
    try:
        for _record in tf.data.TFRecordDataset(path):
            good, byte = good + 1, byte + 0
    except tf.errors.DataLossError:
        pass
    return good, None
