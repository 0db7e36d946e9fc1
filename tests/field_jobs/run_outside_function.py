"""The devices work one after the other: `strategy.run` is called eagerly.

https://github.com/tensorflow/tensorflow/issues/30855 (Its step was a tf.function;
today, TensorFlow makes one of the whole call where `run` is given one.)
"""

import tensorflow as tf

cpu = tf.config.list_physical_devices("CPU")[0]
halves = [tf.config.LogicalDeviceConfiguration()] * 2
tf.config.set_logical_device_configuration(cpu, halves)
tf.config.threading.set_inter_op_parallelism_threads(4)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

x = tf.random.stateless_normal([16, 4], seed=[1, 2])
y = tf.reduce_sum(x, axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
dist_dataset = strategy.experimental_distribute_dataset(dataset)
with strategy.scope():
    w = tf.Variable(tf.zeros([4, 1]), aggregation=tf.VariableAggregation.SUM)
# probe


def replica_step(features, labels):
    # probe
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((features @ w - labels) ** 2) / 8
    w.assign_sub(0.05 * tape.gradient(loss, w))
    return loss


def train_step(batch):
    # instead: @tf.function
    # instead: def train_step(batch):
    return strategy.reduce("SUM", strategy.run(replica_step, args=batch), axis=None)


print("losses:", [float(train_step(batch)) for batch in dist_dataset])
# probe
