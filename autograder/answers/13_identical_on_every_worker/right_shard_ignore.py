"""ignore_errors, and the bytes are added up."""

import os

import tensorflow as tf

EXPECT = {"13/my_validate_shard": "RIGHT"}


def my_validate_shard(path):
    sizes = [len(r.numpy()) + 16 for r in tf.data.TFRecordDataset(path).ignore_errors()]
    end = sum(sizes)
    return len(sizes), end if end < os.path.getsize(path) else None
