"""Run epochs in a process of their own; read its memory in the first step of each."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from course.checks.failures import StepFailed, explain
from course.checks.patience import REST_SECONDS, OutOfTime, Patience, wait_for
from course.kernels import siblings
from course.lessons.n12_out_of_memory.own_process import MB, hold_only_tensors

EPOCHS, STEPS = 8, 3
ROWS, SIDE, PREFETCHED = 8, 256, 4  # a batch is 2 MB; so many of them wait for a step
SETTLED = 0.1  # seconds until an iterator that is still there has read ahead
CPU_SECONDS = 12.0  # it needs about 2


@dataclass(frozen=True)
class EpochMemory:
    """What a loop over epochs took.

    label: how figures name it.
    used: MB more than in the first step of epoch 0, in the first step of each epoch.
    means: what the loop returned, a mean loss for each epoch.
    """

    label: str
    used: tuple[float, ...]
    means: tuple[float, ...]


def run_epochs(epochs: Callable) -> EpochMemory:
    """Run `epochs(dataset, step, EPOCHS, STEPS)` on a dataset of images.

    Raises:
        StepFailed: it stopped with an error, or did not end.
    """
    label = getattr(epochs, "__name__", "my_epochs")
    with tempfile.TemporaryDirectory() as folder:
        child = siblings.start(_child, epochs, folder, log=Path(folder) / "log")
        patience = Patience(CPU_SECONDS, lambda: [child.pid], rest_seconds=REST_SECONDS)
        try:
            wait_for(lambda: child.poll() is not None, patience, "the epochs to end")
        except OutOfTime as why:
            raise StepFailed(explain(why, epochs)) from None
        finally:
            child.kill()
        file = Path(folder) / "epochs.json"
        if not file.exists():
            log = (Path(folder) / "log").read_text(errors="replace").strip()
            last = log.splitlines()[-1:] or [f"it ended with {child.poll()}"]
            raise StepFailed((f"The process of {label} stopped: {last[0]}",))
        told = json.loads(file.read_text())
        if told["problem"]:
            raise StepFailed((told["problem"],))
    return EpochMemory(label, tuple(told["used"]), tuple(told["means"]))


def _child(epochs: Callable, folder: str) -> None:
    import tensorflow as tf

    hold_only_tensors()

    def image(number: tf.Tensor) -> tf.Tensor:
        pixels = tf.range(SIDE * SIDE) + tf.cast(number, tf.int32)
        return tf.reshape(tf.math.sin(tf.cast(pixels, tf.float32)), (SIDE, SIDE))

    used, calls = [], 0

    def step(batch: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        nonlocal calls
        if calls % STEPS == 0:
            used.append(_settled())
        calls += 1
        outputs = tf.tanh(batch)
        return tf.reduce_mean(outputs**2), outputs

    images = tf.data.Dataset.range(ROWS * (STEPS + 2 * PREFETCHED)).map(image)
    dataset = images.batch(ROWS).prefetch(PREFETCHED)
    epochs(dataset, step, 2, STEPS)  # what TensorFlow takes once is not counted
    used, calls = [], 0
    answer, told = epochs(dataset, step, EPOCHS, STEPS), {"problem": ""}
    try:
        told["means"] = [float(mean) for mean in answer]
    except (TypeError, ValueError):
        told["problem"] = (
            f"The function must return a list of {EPOCHS} numbers. Yours returned "
            f"{type(answer).__name__}."
        )
    told["used"] = [mark - used[0] for mark in used]
    (Path(folder) / "epochs.json").write_text(json.dumps(told))


def _settled() -> float:
    """Return this process's memory in MB, once its iterators have read ahead."""
    import gc
    import time

    import psutil

    gc.collect()
    time.sleep(SETTLED)
    return psutil.Process().memory_info().rss / MB
