"""Answers to 06/my_real_replicas, right and wrong, and what the check says of each."""

import numpy as np
import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


@right
def names(strategy):
    """Short names of both."""
    exist = {d.name.split("device:")[-1] for d in tf.config.list_logical_devices()}
    own = [n.split("device:")[-1] for n in strategy.extended.worker_devices]
    return sum(name in exist for name in own)


@right
def soft_off(strategy):
    """Without soft placement, a missing device is an error."""
    works = 0
    tf.config.set_soft_device_placement(False)
    try:
        for name in strategy.extended.worker_devices:
            try:
                with tf.device(name):
                    tf.constant(1.0) + 1.0
                works += 1
            except tf.errors.InvalidArgumentError:
                pass
    finally:
        tf.config.set_soft_device_placement(True)
    return float(works)


@right
def replicas_spec(strategy):
    """TensorFlow's DeviceSpec reads the names."""

    def key(name):
        spec = tf.DeviceSpec.from_string(name)
        return spec.device_type, spec.device_index

    exist = {key(device.name) for device in tf.config.list_logical_devices()}
    return np.int64(len(exist & {key(n) for n in strategy.extended.worker_devices}))


@right
def variable(strategy):
    """Where a variable of each device really is."""
    works = 0
    for name in strategy.extended.worker_devices:
        with tf.device(name):
            works += tf.Variable(0.0).device == name
    return works


@crashed
@changed(names, ("sum(name in exist for name in own)", "set(own) <= exist"))
def replicas_bool():
    """Return whether all are real."""


@crashed
@changed(
    names, ("sum(name in exist for name in own)", "[n for n in own if n in exist]")
)
def replicas_list():
    """Return the names."""


@crashed
@changed(names, ("return sum", "sum"))
def none():
    """Return nothing."""


@wrong
@changed(names, ("for name in own)", "for name in own) - 7"))
def unknown():
    """Seven too few: no known mistake."""


@wrong("in_sync")
def values(strategy):
    """The number of copies of a variable."""
    with strategy.scope():
        v = tf.Variable(0.0)
    return len(v.values)


@wrong("type_ignored")
def fewer_than_devices(strategy):
    """The number at the end of a name, which must be below that of the devices."""
    count = len(tf.config.list_logical_devices())
    return sum(int(n.split(":")[-1]) < count for n in strategy.extended.worker_devices)
