"""One worker of several: each has its own TF_CONFIG, reads its part, and saves."""

import json
import os
from pathlib import Path

import numpy as np
import tensorflow as tf

config = json.loads(os.environ["TF_CONFIG"])
index = config["task"]["index"]
folder = Path(f"worker-{index}")
checkpoint_path = str(folder / "weights")

strategy = tf.distribute.MultiWorkerMirroredStrategy()
learning_rate = 0.05

generator = np.random.default_rng(2)
x = generator.normal(size=(24, 4)).astype("float32")
y = x.sum(axis=1) + 1.0


def make_dataset(context):
    rows = tf.data.Dataset.from_tensor_slices((x, y))
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(8))


dist_dataset = strategy.distribute_datasets_from_function(make_dataset)

with strategy.scope():
    weights = tf.Variable(tf.random.normal([4]))
    bias = tf.Variable(0.0)
variables = [weights, bias]

checkpoint = tf.train.Checkpoint(weights=weights, bias=bias)
if Path(checkpoint_path + ".index").exists():
    checkpoint.restore(checkpoint_path)


def replica_step(features, labels):
    with tf.GradientTape() as tape:
        errors = tf.linalg.matvec(features, weights) + bias - labels
        loss = tf.reduce_sum(errors**2)
    gradients = tape.gradient(loss, variables)
    rows = tf.cast(tf.size(labels), tf.float32)
    context = tf.distribute.get_replica_context()
    *gradients, rows = context.all_reduce("SUM", [*gradients, rows])
    for variable, gradient in zip(variables, gradients, strict=True):
        variable.assign_sub(learning_rate * gradient / rows)
    return loss / rows


@tf.function
def train_step(batch):
    losses = strategy.run(replica_step, args=batch)
    return strategy.reduce("SUM", losses, axis=None)


step = 0
for batch in dist_dataset:
    loss = train_step(batch)
    step += 1
print(f"worker {index}: {step} steps, last loss {float(loss):.4f}")
checkpoint.write(checkpoint_path)
