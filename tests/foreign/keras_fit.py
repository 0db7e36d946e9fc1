"""Fit a Keras model on two devices, with `model.fit`."""

import numpy as np
import tensorflow as tf

(processor,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(
    processor, [tf.config.LogicalDeviceConfiguration()] * 2
)
tf.config.threading.set_inter_op_parallelism_threads(4)
tf.keras.utils.set_random_seed(1)

ROWS = 21
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

generator = np.random.default_rng(2)
x = generator.normal(size=(ROWS, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True) ** 2

dataset = tf.data.Dataset.from_tensor_slices((x, y))
dataset = dataset.shuffle(ROWS, seed=3, reshuffle_each_iteration=False).batch(8)


class Noise(tf.keras.layers.Layer):
    """Adds a little noise to the rows while training."""

    def __init__(self, size):
        super().__init__()
        self.size = size

    def call(self, rows, training=False):
        if not training:
            return rows
        return rows + self.size * tf.random.normal(tf.shape(rows))


with strategy.scope():
    model = tf.keras.Sequential(
        [
            tf.keras.Input((4,)),
            Noise(0.1),
            tf.keras.layers.Dense(16, activation="tanh"),
            tf.keras.layers.Dense(1),
        ]
    )
    model.compile(optimizer=tf.keras.optimizers.SGD(0.05), loss="mse")

model.set_weights([generator.normal(0, 0.5, w.shape) for w in model.get_weights()])
# all is ready
history = model.fit(dataset, epochs=2, verbose=0)
print("losses:", np.round(history.history["loss"], 4))
