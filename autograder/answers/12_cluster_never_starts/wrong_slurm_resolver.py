"""TensorFlow's own resolver."""

import json
import os
from unittest.mock import patch

import tensorflow as tf

EXPECT = {"12/my_from_slurm": "WRONG sorted_nodes"}


def my_from_slurm(environ):
    with patch.dict(os.environ, environ):
        resolver = tf.distribute.cluster_resolver.SlurmClusterResolver(
            gpus_per_node=8, gpus_per_task=1, auto_set_gpu=False
        )
        cluster = resolver.cluster_spec().as_dict()
    task = {"type": resolver.task_type, "index": resolver.task_id}
    return json.dumps({"cluster": cluster, "task": task})
