"""What is missing goes to the last device."""

import tensorflow as tf

EXPECT = {"06/my_report": "WRONG"}


def my_report(concrete):
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    counts = dict.fromkeys(exist, 0)
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            name = op.device.split("device:")[-1]
            counts[name if name in counts else exist[-1]] += 1
    return counts
