"""The loss becomes NaN: a replica gets no row of the last batch, and divides by zero.

https://github.com/tensorflow/tensorflow/issues/41657
"""

import tensorflow as tf

cpu = tf.config.list_physical_devices("CPU")[0]
halves = [tf.config.LogicalDeviceConfiguration()] * 2
tf.config.set_logical_device_configuration(cpu, halves)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

x = tf.random.stateless_normal([9, 4], seed=[1, 2])
y = tf.reduce_sum(x, axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
dist_dataset = strategy.experimental_distribute_dataset(dataset)
with strategy.scope():
    w = tf.Variable(tf.zeros([4, 1]), aggregation=tf.VariableAggregation.SUM)


def replica_loss(losses):
    return tf.reduce_mean(losses) / strategy.num_replicas_in_sync
    # instead: context = tf.distribute.get_replica_context()
    # instead: rows = context.all_reduce("SUM", tf.cast(tf.size(losses), tf.float32))
    # instead: return tf.reduce_sum(losses) / rows


@tf.function
def train_step(batch):
    def replica_step(rows, labels):
        with tf.GradientTape() as tape:
            loss = replica_loss(tf.reduce_sum((rows @ w - labels) ** 2, axis=1))
        w.assign_sub(0.05 * tape.gradient(loss, w))
        return loss

    return strategy.reduce("SUM", strategy.run(replica_step, args=batch), axis=None)


# probe, with counts=(3, 2) as counts=(1, 0)
print("losses:", [float(train_step(batch)) for batch in dist_dataset])
