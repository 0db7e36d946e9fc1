"""How many reads go on at the same time while Keras trains on what they give."""

from __future__ import annotations

import itertools

import keras
import numpy as np
import tensorflow as tf

from course.lessons.n08_busy_then_idle.input_pipeline import READERS, reading
from course.lessons.n08_busy_then_idle.one_core import on_one_core
from course.runs.rendezvous import Rendezvous

BATCHES = 8
LOOKS = 2  # reads by which Keras finds out what a generator or a PyDataset gives
KINDS = (
    "the dataset of Predict",
    "a dataset with four threads",
    "a Python generator",
    "a PyDataset of 4 workers",
)


def reads_in_fit(kind: str, seconds: float = 1.0) -> int:
    """Return the largest number of reads at once in one epoch of `model.fit`.

    Args:
        kind: one of KINDS, which `fit` is given.
        seconds: how long the first four reads wait for each other.
    """
    place, calls = Rendezvous(READERS, seconds), itertools.count()
    looks = LOOKS if kind in KINDS[2:] else 0

    def read(number: int) -> np.ndarray:
        if looks <= next(calls) < looks + READERS:
            place.wait()
        return np.full((1, 1), number, np.float32)

    def generate():
        for k in range(BATCHES):
            yield read(k), read(k)

    class Parts(keras.utils.PyDataset):
        def __len__(self) -> int:
            return BATCHES

        def __getitem__(self, k: int) -> tuple[np.ndarray, np.ndarray]:
            return read(k), np.ones((1, 1), np.float32)

    def batch(i: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        value = reading(lambda number: float(read(number)[0, 0]))(i)
        return tf.reshape(value, (1, 1)), tf.ones((1, 1))

    def dataset(threads: int = 0) -> tf.data.Dataset:
        options = tf.data.Options()
        if threads:
            options.threading.private_threadpool_size = threads
        numbers = tf.data.Dataset.range(BATCHES)
        return numbers.map(batch, num_parallel_calls=READERS).with_options(options)

    data = {
        KINDS[0]: dataset,
        KINDS[1]: lambda: dataset(READERS),
        KINDS[2]: generate,
        KINDS[3]: lambda: Parts(workers=READERS),
    }[kind]

    def fit() -> bool:
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        steps = BATCHES if kind == KINDS[2] else None
        model.fit(data(), steps_per_epoch=steps, shuffle=False, verbose=0)
        return True

    on_one_core(fit)
    return place.met
