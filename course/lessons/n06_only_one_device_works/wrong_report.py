"""Wrong answers to 06/my_report: names are codes, docstrings causes."""

from __future__ import annotations

import tensorflow as tf


def as_asked(concrete):
    """It reports what the graph ASKS for. A device that does not exist computes
    nothing, and what asks for nothing runs too: both go to the first device. And a
    device without work is not named: it should stand there with 0.
    """
    counts = {}
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            name = op.device.split("device:")[-1]
            counts.setdefault(name, 0)
            counts[name] += 1
    return counts


def as_asked_all_named(concrete):
    """It reports what the graph ASKS for. A device that does not exist computes
    nothing, and what asks for nothing runs too: both go to the first device.
    """
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    counts = dict.fromkeys(exist, 0)
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            name = op.device.split("device:")[-1]
            counts[name] = counts.get(name, 0) + 1
    return counts


def idle_not_named(concrete):
    """The numbers are right, but a device without work is not named. It is the one
    you look for: it should stand there with 0.
    """
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    counts = {}
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            name = op.device.split("device:")[-1]
            name = name if name in exist else exist[0]
            counts[name] = counts.get(name, 0) + 1
    return counts


def left_out(concrete):
    """What asks for a missing device, or for none, is left out. It runs all the
    same, on the first device.
    """
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    counts = dict.fromkeys(exist, 0)
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            name = op.device.split("device:")[-1]
            if name in counts:
                counts[name] += 1
    return counts


def ghosts_left_out(concrete):
    """What asks for a device that does not exist is left out. It runs all the same,
    on the first device.
    """
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    counts = dict.fromkeys(exist, 0)
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            name = op.device.split("device:")[-1]
            name = name or exist[0]
            if name in counts:
                counts[name] += 1
    return counts


def unplaced_left_out(concrete):
    """What asks for no device is left out. It runs all the same, on the first
    device.
    """
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    counts = dict.fromkeys(exist, 0)
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            name = op.device.split("device:")[-1]
            if name:
                counts[name if name in counts else exist[0]] += 1
    return counts


def ghosts_named(concrete):
    """A device that does not exist has work in the report. What asks for it runs on
    the first device.
    """
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    counts = dict.fromkeys(exist, 0)
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            name = op.device.split("device:")[-1]
            name = name or exist[0]
            counts[name] = counts.get(name, 0) + 1
    return counts


def unplaced_named(concrete):
    """What asks for no device stands under a name of its own. It runs on the first
    device.
    """
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    counts = dict.fromkeys(exist, 0)
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            name = op.device.split("device:")[-1]
            name = name if name in exist or not name else exist[0]
            counts[name] = counts.get(name, 0) + 1
    return counts


def nothing_counted(concrete):
    """All numbers are 0: op.device is a long name. Compare what stands after its
    last "device:", and op.type with "MatMul".
    """
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    counts = dict.fromkeys(exist, 0)
    for op in concrete.graph.get_operations():
        if op.type == "MatMul" and op.device in counts:
            counts[op.device] += 1
    return counts


def all_on_the_first(concrete):
    """Everything is counted on the first device: no op.device was found among the
    devices. Compare what stands after the last "device:" of both names.
    """
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    counts = dict.fromkeys(exist, 0)
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            counts[op.device if op.device in counts else exist[0]] += 1
    return counts


MISTAKES = (
    as_asked,
    as_asked_all_named,
    idle_not_named,
    left_out,
    ghosts_left_out,
    unplaced_left_out,
    ghosts_named,
    unplaced_named,
    nothing_counted,
    all_on_the_first,
)
