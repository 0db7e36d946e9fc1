"""Two towers on two devices have one loss: the first device takes all gradients.

https://github.com/tensorflow/tensorflow/issues/2441
"""

import tensorflow as tf

cpu = tf.config.list_physical_devices("CPU")[0]
halves = [tf.config.LogicalDeviceConfiguration()] * 2
tf.config.set_logical_device_configuration(cpu, halves)
DEVICES = "CPU:0", "CPU:1"

x = tf.random.stateless_normal([16, 4], seed=[1, 2])
y = tf.reduce_sum(x, axis=1, keepdims=True)
towers = []
for device in DEVICES:
    with tf.device(device):
        towers.append(tf.Variable(tf.zeros([4, 1])))


@tf.function
def train_step(x, y):
    losses, gradients = [], []
    with tf.GradientTape(persistent=True) as tape:
        for device, tower in zip(DEVICES, towers, strict=True):
            with tf.device(device):
                losses.append(tf.reduce_mean((x @ tower - y) ** 2))
    for device, loss, tower in zip(DEVICES, losses, towers):  # noqa: B007, B905
        with tf.device(None):  # as one optimizer for all does
            # instead: with tf.device(device):
            gradients.append(tape.gradient(loss, tower))
            tower.assign_sub(0.05 * gradients[-1])
    return losses


# probe
for _ in range(5):
    losses = train_step(x, y)
print("losses:", [float(loss) for loss in losses])
