"""Compare a short name with a long one."""

import tensorflow as tf

EXPECT = {"06/my_report": "WRONG nothing_counted"}


def my_report(concrete):
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    counts = dict.fromkeys(exist, 0)
    for op in concrete.graph.get_operations():
        if op.type == "MatMul" and op.device in counts:
            counts[op.device] += 1
    return counts
