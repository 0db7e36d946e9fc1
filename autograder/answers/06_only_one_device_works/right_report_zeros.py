"""Zeros for all, then count."""

import tensorflow as tf

EXPECT = {"06/my_report": "RIGHT"}


def my_report(concrete):
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    counts = dict.fromkeys(exist, 0)
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            name = op.device.split("device:")[-1]
            counts[name if name in counts else exist[0]] += 1
    return counts
