"""Wrong answers to 06/my_real_replicas: names are codes, docstrings causes."""

from __future__ import annotations

import tensorflow as tf

from course.checks.exercises import wrong_answers


def in_sync(strategy):
    """It counts the replicas, which are as many as there are NAMES. Nobody asked
    whether the devices exist.
    """
    return len(strategy.extended.worker_devices)


def all_devices(strategy):
    """It counts the devices of the process, whatever the strategy uses."""
    return len(tf.config.list_logical_devices())


def physical(strategy):
    """It compares with list_physical_devices. A physical device can be split into
    several logical ones, and those are what a strategy uses.
    """
    exist = {d.name.split("device:")[-1] for d in tf.config.list_physical_devices()}
    own = [n.split("device:")[-1] for n in strategy.extended.worker_devices]
    return sum(name in exist for name in own)


def never_more_than_devices(strategy):
    """It takes the smaller of two numbers. Some names may be missing although there
    are enough other devices: compare the names.
    """
    exist = len(tf.config.list_logical_devices())
    return min(exist, strategy.num_replicas_in_sync)


def devices_that_hold_a_copy(strategy):
    """It counts the devices that hold a copy of a variable. The first device may
    hold one for a replica whose device does not exist: that replica has no device
    of its own.
    """
    with strategy.scope():
        v = tf.Variable(0.0)
    return len({copy.device for copy in v.values})


def names_do_not_match(strategy):
    """It finds no device at all: worker_devices has long names, and
    list_logical_devices shorter ones. Compare what stands after the last "device:".
    """
    exist = {d.name for d in tf.config.list_logical_devices()}
    return len(exist & set(strategy.extended.worker_devices))


def type_ignored(strategy):
    """It compares the numbers of the devices only. CPU:1 and GPU:1 have the same
    number, and one of them may exist without the other: compare the type, too.
    """
    exist = {d.name.split(":")[-1] for d in tf.config.list_logical_devices()}
    own = [name.split(":")[-1] for name in strategy.extended.worker_devices]
    return sum(number in exist for number in own)


def part_of_the_name(strategy):
    """It looks for the name of a device within a longer name. The name CPU:1 is a part
    of CPU:12, too: compare whole names.
    """
    exist = [d.name for d in tf.config.list_logical_devices()]
    own = strategy.extended.worker_devices
    return sum(any(name in each for name in exist) for each in own)


def last_digit(strategy):
    """It compares the last digits only. A number may have two, and CPU:1 and GPU:1 have
    the same one: compare whole names.
    """
    exist = {d.name[-1] for d in tf.config.list_logical_devices()}
    return sum(name[-1] in exist for name in strategy.extended.worker_devices)


def missing_ones(strategy):
    """It counts the replicas whose device does NOT exist."""
    exist = {d.name.split("device:")[-1] for d in tf.config.list_logical_devices()}
    own = [n.split("device:")[-1] for n in strategy.extended.worker_devices]
    return sum(name not in exist for name in own)


def idle_ones(strategy):
    """It counts the devices that the strategy does not use."""
    exist = {d.name.split("device:")[-1] for d in tf.config.list_logical_devices()}
    own = [n.split("device:")[-1] for n in strategy.extended.worker_devices]
    return len(exist - set(own))


MISTAKES = wrong_answers(__name__)
