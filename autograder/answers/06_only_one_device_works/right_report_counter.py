"""A Counter, asked once for each device."""

from collections import Counter

import tensorflow as tf

EXPECT = {"06/my_report": "RIGHT"}


def my_report(concrete):
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    asked = [
        op.device.rpartition("device:")[2]
        for op in concrete.graph.get_operations()
        if op.type == "MatMul"
    ]
    runs = Counter(name if name in exist else exist[0] for name in asked)
    return {name: runs[name] for name in exist}
