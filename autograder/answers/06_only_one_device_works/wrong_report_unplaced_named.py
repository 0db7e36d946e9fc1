"""A line for what asks for nothing."""

import tensorflow as tf

EXPECT = {"06/my_report": "WRONG unplaced_named"}


def my_report(concrete):
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    counts = dict.fromkeys(exist, 0)
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            name = op.device.split("device:")[-1]
            name = name if name in exist or not name else exist[0]
            counts[name] = counts.get(name, 0) + 1
    return counts
