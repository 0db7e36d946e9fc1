"""Long names are never among the short ones."""

import tensorflow as tf

EXPECT = {"06/my_report": "WRONG all_on_the_first"}


def my_report(concrete):
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    counts = dict.fromkeys(exist, 0)
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            counts[op.device if op.device in counts else exist[0]] += 1
    return counts
