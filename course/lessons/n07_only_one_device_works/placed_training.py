"""Run a whole training function of a learner's, and keep what ran where."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from unittest import mock

import numpy as np
import tensorflow as tf

from course.checks.deadline import deadline
from course.checks.failures import WrongReturn, sentences_of
from course.runs.devices import short_name
from course.runs.placement import Work, watching
from course.runs.workloads import Rows

SECONDS = 20.0  # processor time of one training; one needs 1
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
        """The multiplications of one step; all of them where steps are not alike."""
        works = []
        for of_a_graph in (False, True):
            kind = [w for w in self.works if (w.replica is not None) == of_a_graph]
            even = len(kind) % self.steps == 0
            works += kind[: len(kind) // self.steps] if even else kind
        return works

    def rows_on(self, device: str, forward: bool) -> list[int]:
        """The rows of each multiplication that ran on `device`, in all steps."""
        return [w.rows for w in self.works if (w.ran, w.forward) == (device, forward)]


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
    with sentences_of(train), deadline(SECONDS), _safe_reduction():
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
    elif isinstance(result, list | tuple) and np.ndim(_array(result)) >= 2:
        parts = list(result)
    else:
        parts = [result]
    arrays = [_array(part) for part in parts]
    arrays = [a.ravel() if a.shape in ((2, 1), (1, 2)) else a for a in arrays]
    if not arrays or any(array.shape != (2,) for array in arrays):
        wanted = (
            "w, the two weights (a variable, or a list with a copy for each device)"
        )
        raise WrongReturn.of(result, wanted, _kind(result, arrays))
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


def _kind(result: object, arrays: Sequence[np.ndarray]) -> str:
    if result is None:
        return "None"
    shape = arrays[0].shape if arrays else ()
    return f"a {type(result).__name__}" + (f" of shape {shape}" if shape else "")


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
