"""One worker of several that fit a Keras model, as the multi-worker tutorial does.

For tf_keras: Keras 3 can't fit a model under this strategy.
"""

import json
import os

import numpy as np
import tensorflow as tf

index = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)

generator = np.random.default_rng(2)
x = generator.normal(size=(24, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True) ** 2

options = tf.data.Options()
policy = tf.data.experimental.AutoShardPolicy.DATA
options.experimental_distribute.auto_shard_policy = policy
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
dataset = dataset.with_options(options)

with strategy.scope():
    model = tf.keras.Sequential(
        [
            tf.keras.Input((4,)),
            tf.keras.layers.Dense(16, activation="tanh"),
            tf.keras.layers.Dense(1),
        ]
    )
    model.compile(optimizer=tf.keras.optimizers.SGD(0.05), loss="mse")

# all is ready
history = model.fit(dataset, epochs=2, verbose=0)
print("losses:", np.round(history.history["loss"], 4))
