"""Fit a small network on two devices, with a training loop of one's own."""

import threading

import numpy as np
import tensorflow as tf

(processor,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(
    processor, [tf.config.LogicalDeviceConfiguration()] * 2
)
tf.config.threading.set_inter_op_parallelism_threads(4)
tf.keras.utils.set_random_seed(1)

EPOCHS = 2
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
global_batch = 4 * strategy.num_replicas_in_sync

generator = np.random.default_rng(2)
x = generator.normal(size=(21, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True) ** 2

rows_read = tf.Variable(0.0)
counting = threading.Lock()


def count_row():
    with counting:
        now = rows_read.numpy()
        rows_read.assign(now + 1.0)


def read_row(row, label):
    count_row()
    return row, label


def load(row, label):
    read = tf.numpy_function(read_row, [row, label], [tf.float32, tf.float32])
    return tf.ensure_shape(read[0], row.shape), tf.ensure_shape(read[1], label.shape)


dataset = tf.data.Dataset.from_tensor_slices((x, y))
dataset = dataset.map(load, num_parallel_calls=2)
dataset = dataset.batch(global_batch)
dist_dataset = strategy.experimental_distribute_dataset(dataset)

with strategy.scope():
    model = tf.keras.Sequential(
        [
            tf.keras.Input((4,)),
            tf.keras.layers.Dense(16, activation="tanh"),
            tf.keras.layers.Dense(1),
        ]
    )
    optimizer = tf.keras.optimizers.SGD(0.05)


def replica_loss(losses):
    context = tf.distribute.get_replica_context()
    rows = context.all_reduce("SUM", tf.cast(tf.size(losses), tf.float32))
    return tf.reduce_sum(losses) / rows


def replica_step(features, labels):
    with tf.GradientTape() as tape:
        predictions = model(features, training=True)
        losses = tf.reduce_mean((labels - predictions) ** 2, axis=1)
        loss = replica_loss(losses)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
    return loss


@tf.function
def train_step(batch):
    losses = strategy.run(replica_step, args=batch)
    return strategy.reduce("SUM", losses, axis=None)


step = 0
for epoch in range(EPOCHS):
    seen = []
    for batch in dist_dataset:
        seen.append(train_step(batch))
        step += 1
    print(f"epoch {epoch}: loss {np.mean(seen):.4f}")
