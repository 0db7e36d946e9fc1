"""Fit a network whose two layers stand on two devices."""

import tensorflow as tf

(processor,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(
    processor, [tf.config.LogicalDeviceConfiguration()] * 2
)

x = tf.random.stateless_normal([32, 4], seed=[1, 2])
y = tf.reduce_sum(x, axis=1, keepdims=True)
with tf.device("CPU:0"):
    first = tf.Variable(tf.random.stateless_normal([4, 16], seed=[3, 4]) / 4)
with tf.device("CPU:1"):
    second = tf.Variable(tf.random.stateless_normal([16, 1], seed=[5, 6]) / 4)


@tf.function
def train_step(features, labels):
    with tf.device("CPU:0"), tf.GradientTape() as lower:
        hidden = tf.tanh(features @ first)
    with tf.device("CPU:1"):
        with tf.GradientTape() as upper:
            upper.watch(hidden)
            loss = tf.reduce_mean((hidden @ second - labels) ** 2)
        slope, gradient = upper.gradient(loss, [hidden, second])
        second.assign_sub(0.1 * gradient)
    with tf.device("CPU:0"):
        gradient = lower.gradient(hidden, first, output_gradients=slope)
        first.assign_sub(0.1 * gradient)
    return loss


for _ in range(20):
    loss = train_step(x, y)
print(f"loss {float(loss):.4f}")
