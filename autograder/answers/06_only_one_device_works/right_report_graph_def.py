"""From the graph's protocol buffer, with NumPy numbers and long names."""

import numpy as np
import tensorflow as tf

EXPECT = {"06/my_report": "RIGHT"}


def my_report(concrete):
    counts = {d.name: np.int64(0) for d in tf.config.list_logical_devices()}
    first = next(iter(counts))
    for node in concrete.graph.as_graph_def().node:
        if node.op == "MatMul":
            counts[node.device if node.device in counts else first] += 1
    return counts
