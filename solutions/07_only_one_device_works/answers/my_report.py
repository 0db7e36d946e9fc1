"""Answers to 07/my_report, right and wrong, and what the check says of each."""

from collections import Counter

import numpy as np
import tensorflow as tf

from autograder.answers import changed, right, wrong


@right
def counter(concrete):
    """A Counter, asked once for each device."""
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    asked = [
        op.device.rpartition("device:")[2]
        for op in concrete.graph.get_operations()
        if op.type == "MatMul"
    ]
    runs = Counter(name if name in exist else devices[0] for name in asked)
    return {name: runs[name] for name in exist}


@right
def graph_def(concrete):
    """From the graph's protocol buffer, with NumPy numbers and long names."""
    counts = {d.name: np.int64(0) for d in tf.config.list_logical_devices()}
    first = next(name for name in counts if name.endswith(devices[0]))
    for node in concrete.graph.as_graph_def().node:
        if node.op == "MatMul":
            counts[node.device if node.device in counts else first] += 1
    return counts


@right
def zeros(concrete):
    """Zeros for all, then count."""
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    counts = dict.fromkeys(exist, 0)
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            name = op.device.split("device:")[-1]
            counts[name if name in counts else devices[0]] += 1
    return counts


NAMES = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]


@right
def asked_outside(concrete):
    """The names are asked for in a cell above."""
    counts = dict.fromkeys(NAMES, 0)
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            name = op.device.split("device:")[-1]
            counts[name if name in counts else NAMES[0]] += 1
    return counts


@right
def names_in_devices(concrete):
    """The notebook's own list, used in a comprehension only."""
    matmuls = [op for op in concrete.graph.get_operations() if op.type == "MatMul"]
    asked = [op.device.split("device:")[-1] for op in matmuls]
    ran = [name if name in devices else devices[0] for name in asked]
    return {name: ran.count(name) for name in devices}


@wrong("names_written_down")
def four_names(concrete):
    """The names are written down."""
    matmuls = [op for op in concrete.graph.get_operations() if op.type == "MatMul"]
    asked = [op.device.split("device:")[-1] for op in matmuls]
    names = ["CPU:0", "CPU:1", "CPU:2", "CPU:3"]
    ran = [name if name in names else "CPU:0" for name in asked]
    return {name: ran.count(name) for name in names}


@wrong("names_written_down")
def four_numbers(concrete):
    """The names are made from numbers."""
    counts = Counter({f"CPU:{i}": 0 for i in range(4)})
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            name = op.device.split("device:")[-1]
            counts[name if name in counts else "CPU:0"] += 1
    return dict(counts)


@wrong("to_the_last")
@changed(zeros, ("devices[0]", "devices[-1]"))
def last_device():
    """What is missing goes to the last device."""


@wrong
@changed(zeros, ("return counts", "return list(counts.values())"))
def report_list():
    """A list of numbers."""


@wrong
@changed(zeros, ("return counts", "return None"))
def none():
    """Nothing is returned."""


@wrong
@changed(zeros, ("+= 1", "+= 2"))
def unknown():
    """Every operation twice: no known mistake."""


@wrong
@changed(
    zeros,
    ('op.device.split("device:")[-1]', "exist[0][:4] + op.device[-1:]"),
)
def type_ignored():
    """Only the number of a device is looked at: on this machine GPU:2 is CPU:2."""
