"""Run a whole training function of a learner's, and keep what ran where."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from unittest import mock

import numpy as np
import tensorflow as tf

from course.deadline import deadline
from course.devices import short_name
from course.failures import sentences_of
from course.placement import Work, watching
from course.workloads import Rows

SECONDS = (20.0, 90.0)  # processor and wall time of one training; one needs 1
Train = Callable[[list[str], tf.data.Dataset], object]


@dataclass(frozen=True, eq=False)
class PlacedRun:
    """What a training function did.

    label: how figures name it.
    devices: those it was asked to use.
    works: the multiplications; `step_works` has those of one step.
    weights: float64, (copies, 2): every copy of the weights at the end.
    held: the device of each copy, "" where it has none.
    steps: number of batches.
    """

    label: str
    devices: tuple[str, ...]
    works: tuple[Work, ...]
    weights: np.ndarray
    held: tuple[str, ...]
    steps: int

    @property
    def step_works(self) -> list[Work]:
        """The multiplications of one step: eager calls come again in every step."""
        eager = [work for work in self.works if work.replica is None]
        once = len(eager) // self.steps if len(eager) % self.steps == 0 else len(eager)
        return eager[:once] + [w for w in self.works if w.replica is not None]

    def most_rows(self, device: str, forward: bool) -> int:
        """The rows of the largest multiplication that ran on `device`; 0 for none."""
        rows = [w.rows for w in self.works if (w.ran, w.forward) == (device, forward)]
        return max(rows, default=0)


def train_placed(
    train: Train, rows: Rows, batch: int, devices: Sequence[str], label: str = "yours"
) -> PlacedRun:
    """Call `train(devices, batches)` once, and watch it.

    Args:
        train: trains two weights; returns them as a variable, a tensor or an array,
            or as a list of copies.
        rows: the examples; only whole batches are used.
        batch: rows in a step.
        devices: such as `["CPU:0", "CPU:1"]`.
        label: how figures name this run.

    Raises:
        StepFailed: `train` stopped with an error, or did not end.
        Unseen: what ran cannot be told.
        TypeError: `train` returned something else than weights.
    """
    data = tf.data.Dataset.from_tensor_slices((rows.x, rows.y))
    data = data.batch(batch, drop_remainder=True)
    with sentences_of(train), deadline(*SECONDS), _safe_reduction():
        with watching() as watch:
            result = train(list(devices), data)
        copies, held = _copies(result)
    steps = len(rows) // batch
    works = tuple(watch.works)
    return PlacedRun(label, tuple(devices), works, copies, held, steps)


def _copies(result: object) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return all copies of the weights as numbers, and the devices they are on."""
    result = getattr(result, "value", result) if _is_keras(result) else result
    if hasattr(result, "values") and isinstance(result.values, tuple):
        parts = list(result.values)
    elif isinstance(result, list | tuple) and np.ndim(_array(result)) == 2:
        parts = list(result)
    else:
        parts = [result]
    arrays = [_array(part) for part in parts]
    if not arrays or any(array.shape != (2,) for array in arrays):
        raise TypeError(
            "the function must return w, the two weights (a variable, or a list with "
            f"a copy for each device); it returned {_kind(result)}"
        )
    held = tuple(short_name(getattr(part, "device", "") or "") for part in parts)
    return np.array(arrays, np.float64), held


def _is_keras(result: object) -> bool:
    return isinstance(result, tf.keras.Variable)


def _array(part: object) -> np.ndarray:
    try:
        if isinstance(part, list | tuple):
            return np.array([np.asarray(each, np.float64) for each in part])
        return np.asarray(part, np.float64)
    except (TypeError, ValueError, NotImplementedError):
        return np.array(np.nan)  # no weights: its shape says so


def _kind(result: object) -> str:
    return "None" if result is None else f"a {type(result).__name__}"


@contextmanager
def _safe_reduction() -> Iterator[None]:
    """Give a MirroredStrategy the reduction of `mirrored`, where it names none.

    TensorFlow's default hangs on devices that do not exist, and fails when one process
    builds a second strategy of another shape.
    """
    usual = tf.distribute.MirroredStrategy.__init__

    def init(self, devices=None, cross_device_ops=None):
        reduction = cross_device_ops or tf.distribute.ReductionToOneDevice()
        usual(self, devices, reduction)

    with mock.patch.object(tf.distribute.MirroredStrategy, "__init__", init):
        yield
