"""The header, but not the last checksum."""

import os

import tensorflow as tf

EXPECT = {"13/my_validate_shard": "WRONG part_of_the_frame"}


def my_validate_shard(path):
    good, byte = 0, 0
    try:
        for record in tf.data.TFRecordDataset(path):
            good, byte = good + 1, byte + 12 + len(record.numpy())
    except tf.errors.DataLossError:
        pass
    return good, None if byte == os.path.getsize(path) else byte
