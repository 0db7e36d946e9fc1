"""Does `fit` on two replicas end where one device does? Run it with any Keras.

    python autograder/keras_trial.py

prints one line of JSON: the largest difference of a weight between two replicas and one
device (`off`), and the same with twice the learning rate on one device (`off_twice`);
between the two copies (`spread`); of the logged losses (`loss`); and the first again
where the optimizer has clipnorm (`clipped`).
"""

from __future__ import annotations

import json

import numpy as np
import tensorflow as tf

ROWS, FEATURES, BATCH, EPOCHS, RATE = 64, 4, 16, 3, 0.05  # all shares are equal
CLIP = {"clipnorm": 0.5}


def train(
    strategy: tf.distribute.Strategy, rate: float, **option: float
) -> tuple[list, list, float]:
    """Return the weights, the logged loss of each epoch, and how far copies differ."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(ROWS, FEATURES)).astype(np.float32)
    y = x @ np.array([[1.0], [2.0], [-1.0], [0.5]], np.float32)
    keras = tf.keras
    with strategy.scope():
        keras.utils.set_random_seed(1)
        layers = [keras.layers.Dense(3, activation="tanh"), keras.layers.Dense(1)]
        model = keras.Sequential([keras.layers.Input((FEATURES,)), *layers])
        model.compile(keras.optimizers.SGD(rate, **option), loss="mse")
    ran = model.fit(x, y, BATCH, EPOCHS, shuffle=False, verbose=0)
    spread = 0.0
    for variable in model.trainable_variables:
        value = getattr(variable, "value", None)
        own = variable if value is None or callable(value) else value
        copies = [np.asarray(c) for c in strategy.experimental_local_results(own)]
        spread = max(spread, float(np.ptp(np.stack(copies), axis=0).max()))
    return model.get_weights(), ran.history["loss"], spread


def trial() -> dict[str, float]:
    """Return what the module's text says."""
    tf.config.set_logical_device_configuration(
        tf.config.list_physical_devices("CPU")[0],
        [tf.config.LogicalDeviceConfiguration()] * 2,
    )
    mirrored = tf.distribute.MirroredStrategy(
        ["CPU:0", "CPU:1"], cross_device_ops=tf.distribute.ReductionToOneDevice()
    )
    alone = tf.distribute.get_strategy()
    (one, loss, _), (twice, _, _) = train(alone, RATE), train(alone, 2 * RATE)
    two, losses, spread = train(mirrored, RATE)
    clipped = [train(each, RATE, **CLIP)[0] for each in (alone, mirrored)]

    def gap(some: list, others: list) -> float:
        pairs = zip(some, others, strict=True)
        return max(float(np.abs(np.subtract(a, b)).max()) for a, b in pairs)

    return {
        "off": gap(one, two),
        "off_twice": gap(twice, two),
        "spread": spread,
        "loss": gap(loss, losses),
        "clipped": gap(*clipped),
    }


if __name__ == "__main__":
    print(json.dumps(trial()))
