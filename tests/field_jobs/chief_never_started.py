"""A worker that stops after its setup: the cluster names a chief that nobody started.

https://github.com/tensorflow/tensorflow/issues/22407
"""

import json
import os
import time

config = json.loads(os.environ["TF_CONFIG"])
config["cluster"]["chief"] = ["127.0.0.1:9"]
# instead: config["cluster"].pop("chief", None)
os.environ["TF_CONFIG"] = json.dumps(config)
print(os.environ["TF_CONFIG"], flush=True)

import tensorflow as tf  # noqa: E402

strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    w = tf.Variable(tf.zeros([4, 1]), aggregation=tf.VariableAggregation.SUM)


@tf.function
def train_step():
    strategy.run(lambda: w.assign_add(tf.ones([4, 1])))


for _ in range(6000):
    train_step()
    time.sleep(0.1)
