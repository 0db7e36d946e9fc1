"""Let no iterator of tf.data hold up a check or a worker, waiting for its own tuning.

An iterator that is deleted waits until its tuning (model.cc, OptimizeLoop) ends, which
may just have begun to sleep for as long as the iterator has existed. A distributed
dataset has one more iterator for each device, and they are deleted one after the other,
so that this doubles with each: five times as long as it had existed was measured on
three devices, with TensorFlow 2.21. In a worker beside other programs, six seconds were
measured, in which the other worker waits as well.
"""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Iterator
from unittest import mock


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """In the block, devices' iterators end at once, and no old ones are deleted.

    Python collects no garbage meanwhile, and at the end what the block made. Devices'
    iterators are made without tuning: they have one buffer of a fixed size. The dataset
    that is distributed, and others, are as they were.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        with _untuned_devices():
            yield
    finally:
        if collects:
            gc.collect(0)  # what is new, all of it
            gc.enable()


@contextlib.contextmanager
def untuned() -> Iterator[None]:
    """In the block, all iterators end at once: none that is made there is tuned.

    Their datasets keep the options that they have.
    """
    if "tensorflow" not in sys.modules:
        yield
        return
    from tensorflow.python.data.ops import dataset_ops

    usual = dataset_ops.DatasetV2._apply_debug_options  # of all that iterate

    def apply(dataset):
        return usual(dataset).with_options(_without_tuning())

    with mock.patch.object(dataset_ops.DatasetV2, "_apply_debug_options", apply):
        yield


@contextlib.contextmanager
def _untuned_devices() -> Iterator[None]:
    if "tensorflow" not in sys.modules:
        yield
        return
    from tensorflow.python.data.ops import multi_device_iterator_ops

    usual = multi_device_iterator_ops._create_device_dataset
    if usual.__module__ == __name__:  # a block within a block
        yield
        return

    def create(*args):
        return usual(*args).with_options(_without_tuning())

    with mock.patch.object(multi_device_iterator_ops, "_create_device_dataset", create):
        yield


def _without_tuning():
    import tensorflow as tf

    options = tf.data.Options()
    options.autotune.enabled = False
    return options
