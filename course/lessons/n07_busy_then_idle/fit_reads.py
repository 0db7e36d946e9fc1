"""How many reads go on at the same time while Keras trains on what they give."""

from __future__ import annotations

import itertools

import keras
import numpy as np
import tensorflow as tf

from course.lessons.n07_busy_then_idle.input_pipeline import READERS, reading
from course.lessons.n07_busy_then_idle.one_core import on_one_core
from course.runs.rendezvous import Rendezvous

BATCHES = 8
LOOKS = 2  # reads by which Keras finds out what it was given
KINDS = ("a dataset", "a Python generator", "a PyDataset of 4 workers")


def reads_in_fit(kind: str, seconds: float = 1.0) -> int:
    """Return the largest number of reads at once in one epoch of `model.fit`.

    Args:
        kind: one of KINDS, which `fit` is given.
        seconds: how long the first four reads wait for each other.
    """
    place, calls = Rendezvous(READERS, seconds), itertools.count()

    def read(number: int) -> np.ndarray:
        if LOOKS <= next(calls) < LOOKS + READERS:
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

    data = {
        KINDS[0]: lambda: tf.data.Dataset.range(BATCHES).map(batch),
        KINDS[1]: generate,
        KINDS[2]: lambda: Parts(workers=READERS),
    }[kind]

    def fit() -> bool:
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        steps = BATCHES if kind == KINDS[1] else None
        model.fit(data(), steps_per_epoch=steps, shuffle=False, verbose=0)
        return True

    on_one_core(fit)
    return place.met
