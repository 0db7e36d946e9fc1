"""Train with Keras `fit` on 1 to 4 devices, quickly enough to do it again and again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import tensorflow as tf

from course.checks.exercises import TOLERANCE
from course.runs.devices import mirrored, virtual_devices
from course.runs.replica_exercises import DEVICES
from course.runs.workloads import LEARNING_RATE, regression


@dataclass(frozen=True, eq=False)
class Fitted:
    """What one call of `fit` logged and left behind, epoch by epoch.

    loss: float64, shape (epochs,): what fit logged.
    weights: float64, shape (epochs, 2): after each epoch.
    """

    loss: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True, eq=False)
class Compared:
    """The same `fit` on one device and on several.

    rows, batch, devices: of the run on several devices; `batch` is the global batch.
    one, several: Fitted.
    """

    rows: int
    batch: int
    devices: int
    one: Fitted
    several: Fitted

    @property
    def gaps(self) -> np.ndarray:
        """Largest difference in one weight after each epoch: shape (epochs,)."""
        return np.abs(self.several.weights - self.one.weights).max(axis=1)

    @property
    def agrees(self) -> bool:
        """Whether all weights are those of one device, up to rounding."""
        return bool(self.gaps.max() < TOLERANCE)


def compare_fits(rows: int, batch: int, devices: int, epochs: int = 3) -> Compared:
    """Train on one device, and the same way on `devices` of them.

    Raises:
        ValueError: the first batch cannot be shared out evenly; Keras stops there with
            an InvalidArgumentError before it trains.
    """
    if (first := min(rows, batch)) % devices:
        raise ValueError(
            "Keras stops before it trains where the first batch does not divide by the "
            f"devices: {first} rows on {devices}."
        )
    one, several = (_fit(n, rows, batch, epochs) for n in (1, devices))
    return Compared(rows, batch, devices, one, several)


def compare_row_counts(
    counts: Iterable[int], batch: int = 8, devices: Iterable[int] = (2, 4)
) -> Mapping[int, tuple[Compared, ...]]:
    """Train one epoch for each number of rows: rows -> one comparison per device."""
    return {
        rows: tuple(compare_fits(rows, batch, n, epochs=1) for n in devices)
        for rows in counts
    }


@cache
def _fit(n: int, rows: int, batch: int, epochs: int) -> Fitted:
    model, layer = _model(n)
    layer.kernel.assign(np.zeros((2, 1)))
    weights: list[np.ndarray] = []
    keep = tf.keras.callbacks.LambdaCallback(
        on_epoch_end=lambda epoch, logs: weights.append(layer.kernel.numpy().ravel())
    )
    data = regression(rows)
    # of an endless dataset fit makes one iterator, not two an epoch: 1 s, not 4
    batches = tf.data.Dataset.from_tensor_slices((data.x, data.y)).batch(batch).repeat()
    log = model.fit(
        batches,
        epochs=epochs,
        steps_per_epoch=-(-rows // batch),
        shuffle=False,
        callbacks=[keep],
        verbose=0,
    )
    return Fitted(np.array(log.history["loss"]), np.array(weights, np.float64))


@cache
def _model(n: int) -> tuple[tf.keras.Model, tf.keras.layers.Layer]:
    with mirrored(virtual_devices(DEVICES)[:n]).scope():
        layer = tf.keras.layers.Dense(1, use_bias=False, kernel_initializer="zeros")
        model = tf.keras.Sequential([tf.keras.Input((2,)), layer])
        model.compile(tf.keras.optimizers.SGD(LEARNING_RATE), loss="mse")
    return model, layer
