"""Of all cards that are listed, only the first one computes, whatever the batch.

https://github.com/bshao001/ChatLearner/issues/35
"""

import tensorflow as tf

cpu = tf.config.list_physical_devices("CPU")[0]
halves = [tf.config.LogicalDeviceConfiguration()] * 2
tf.config.set_logical_device_configuration(cpu, halves)
strategy = tf.distribute.get_strategy()
# instead: strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

x = tf.random.stateless_normal([16, 4], seed=[1, 2])
y = tf.reduce_sum(x, axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)

with strategy.scope():
    hidden = tf.keras.layers.Dense(16, activation="tanh")
    model = tf.keras.Sequential(
        [tf.keras.Input((4,)), hidden, tf.keras.layers.Dense(1)]
    )
    model.compile(optimizer=tf.keras.optimizers.SGD(0.05), loss="mse")

model.fit(dataset, epochs=2, verbose=0)
# probe
