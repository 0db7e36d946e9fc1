"""The loss of a custom loop is far too large: each replica trains on all rows.

https://github.com/tensorflow/tensorflow/issues/33651
"""

import tensorflow as tf

cpu = tf.config.list_physical_devices("CPU")[0]
halves = [tf.config.LogicalDeviceConfiguration()] * 2
tf.config.set_logical_device_configuration(cpu, halves)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

x = tf.random.stateless_normal([16, 4], seed=[1, 2])
y = tf.reduce_sum(x, axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((x, y))
# probe
dataset = dataset.batch(8)
dist_dataset = strategy.experimental_distribute_dataset(dataset)
with strategy.scope():
    w = tf.Variable(tf.zeros([4, 1]), aggregation=tf.VariableAggregation.SUM)


def replica_step(rows, labels):
    with tf.GradientTape() as tape:
        losses = tf.reduce_sum((rows @ w - labels) ** 2, axis=1)
        loss = tf.nn.compute_average_loss(losses, global_batch_size=8)
    w.assign_sub(0.05 * tape.gradient(loss, w))
    return loss


@tf.function
def train_step(batch):
    return strategy.reduce("SUM", strategy.run(replica_step, args=batch), axis=None)


loader = dataset
# instead: loader = dist_dataset
# probe, with dist_dataset as loader
for batch in loader:
    print("loss:", float(train_step(batch)))
