"""All devices named, but as asked."""

import tensorflow as tf

EXPECT = {"06/my_report": "WRONG as_asked_all_named"}


def my_report(concrete):
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    counts = dict.fromkeys(exist, 0)
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            name = op.device.split("device:")[-1]
            counts[name] = counts.get(name, 0) + 1
    return counts
