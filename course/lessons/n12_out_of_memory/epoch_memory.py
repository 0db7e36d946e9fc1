"""Run epochs in a process of their own; read its memory where each of them begins."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
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
    used: MB more than where the first epoch began, where each epoch begins.
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
            said = (Path(folder) / "log").read_text(errors="replace").strip()
            last = said.splitlines()[-1:] or [f"it ended with {child.poll()}"]
            raise StepFailed((f"The process of {label} stopped: {last[0]}",))
        told = json.loads(file.read_text())
    return EpochMemory(label, tuple(told["used"]), tuple(told["means"]))


def _child(epochs: Callable, folder: str) -> None:
    import tensorflow as tf

    hold_only_tensors()

    def image(number: tf.Tensor) -> tf.Tensor:
        pixels = tf.range(SIDE * SIDE) + tf.cast(number, tf.int32)
        return tf.reshape(tf.math.sin(tf.cast(pixels, tf.float32)), (SIDE, SIDE))

    def step(batch: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        outputs = tf.tanh(batch)
        return tf.reduce_mean(outputs**2), outputs

    images = tf.data.Dataset.range(ROWS * (STEPS + 2 * PREFETCHED)).map(image)
    dataset = _Marked(images.batch(ROWS).prefetch(PREFETCHED))
    epochs(dataset, step, 2, STEPS)  # what TensorFlow takes once is not counted
    dataset.used.clear()
    means = [float(mean) for mean in epochs(dataset, step, EPOCHS, STEPS)]
    used = [mark - dataset.used[0] for mark in dataset.used]
    told = json.dumps({"used": used, "means": means})
    (Path(folder) / "epochs.json").write_text(told)


class _Marked:
    """A dataset that notes this process's memory, in MB, where it is begun."""

    def __init__(self, dataset: object) -> None:
        self._dataset, self.used = dataset, []

    def __iter__(self) -> Iterator:
        import gc
        import time

        import psutil

        gc.collect()
        time.sleep(SETTLED)
        self.used.append(psutil.Process().memory_info().rss / MB)
        return iter(self._dataset)
