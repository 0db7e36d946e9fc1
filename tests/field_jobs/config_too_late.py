"""Two workers are not in step: each has made its strategy before it sets TF_CONFIG.

https://github.com/tensorflow/tensorflow/issues/31154
"""

import json
import os

import numpy as np
import tensorflow as tf

cluster = os.environ.pop("TF_CONFIG")  # here, the launcher's word for it
index = json.loads(cluster)["task"]["index"]

strategy = tf.distribute.MultiWorkerMirroredStrategy()
# instead: os.environ["TF_CONFIG"] = cluster
os.environ["TF_CONFIG"] = cluster
# instead: strategy = tf.distribute.MultiWorkerMirroredStrategy()

x = np.random.default_rng(2).normal(size=(24, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
options = tf.data.Options()
policy = tf.data.experimental.AutoShardPolicy.DATA
options.experimental_distribute.auto_shard_policy = policy
dist_dataset = strategy.experimental_distribute_dataset(dataset.with_options(options))
# probe
