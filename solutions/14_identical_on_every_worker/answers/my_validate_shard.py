"""Answers to 14/my_validate_shard, right and wrong, and what the check says of each."""

import os

import tensorflow as tf

from autograder.answers import crashed, right


@right
def ignore(path):
    """ignore_errors, and the bytes are added up."""
    sizes = [len(r.numpy()) + 16 for r in tf.data.TFRecordDataset(path).ignore_errors()]
    end = sum(sizes)
    return len(sizes), end if end < os.path.getsize(path) else None


@right
def iterator(path):
    """An iterator by hand."""
    records, good, byte = iter(tf.data.TFRecordDataset([path])), 0, 0
    while True:
        try:
            data = next(records).numpy()
        except (StopIteration, tf.errors.OpError):
            break
        good += 1
        byte += 8 + 4 + len(data) + 4
    with open(path, "rb") as file:
        return (good, byte) if file.read()[byte:] else (good, None)


@right
def tensors(path):
    """Tensors are numbers too."""
    good, byte = 0, 0
    try:
        for record in tf.data.TFRecordDataset(path):
            good, byte = good + 1, byte + 16 + tf.strings.length(record)
    except tf.errors.DataLossError:
        pass
    whole = byte == os.path.getsize(path)
    return tf.constant(good), None if whole else byte


@wrong
def number(path):
    """One number only."""
    good, byte = 0, 0
    try:
        for _record in tf.data.TFRecordDataset(path):
            good, byte = good + 1, byte + 16
    except tf.errors.DataLossError:
        pass
    return good


@crashed
def raises(path):
    """The error goes through."""
    return sum(1 for _ in tf.data.TFRecordDataset(path)), None
