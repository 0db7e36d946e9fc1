"""Run one training step in a process that may take only so much more memory.

The process limits its own address space (RLIMIT_AS), so that TensorFlow's allocator is
refused and raises its own error; the kernel that asks is never limited. Large blocks go
back to the system at once (mallopt), so what the process holds follows what TensorFlow
holds.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from course.checks.failures import StepFailed, explain
from course.checks.patience import REST_SECONDS, OutOfTime, Patience, wait_for
from course.kernels import siblings
from course.lessons.n12_out_of_memory.own_process import hold_only_tensors
from course.runs.stopping import go_on

MB = 2**20
ROWS, MOST = 60_000, 16_000  # rows of the step; rows that are to be alive at a time
LAYERS, WIDTH = 8, 64
ONE_GRAPH = (
    "is a tf.function as a whole. Remove the decorator: in one graph, TensorFlow may "
    "run several micro-batches at the same time, so they may not fit. A tf.function "
    "for one micro-batch is fine."
)
CPU_SECONDS = 12.0  # of the step's process; it needs about 2
_SHAPE = re.compile(r"tensor with shape\[([\d,]*)\]")


@dataclass(frozen=True, eq=False)
class StepMemory:
    """The memory of one step, read at every operation forward, every layer backward.

    label: how figures name it.
    limit: MB that the process may take more than at the start; None: no limit.
    names: "layer 3: tanh" and so on, in order.
    rows: how many rows the operation worked on.
    used: MB taken since the start, when it was done.
    asked: MB of the allocation that failed; None where the step reached its end.
    held: MB taken when it failed; more, where the operation held some for itself.
    error: the error's own text, or "".
    gradients: float32, all gradients in one row; empty where the step failed.
    """

    label: str
    limit: float | None
    names: tuple[str, ...]
    rows: tuple[int, ...]
    used: tuple[float, ...]
    asked: float | None = None
    held: float = 0.0
    error: str = ""
    gradients: np.ndarray = field(default_factory=lambda: np.zeros(0, np.float32))

    @property
    def events(self) -> list[tuple[str, float]]:
        """What each moment took (positive) or gave back (negative), in MB."""
        changes = np.diff(np.round(self.used, 1), prepend=0.0).round(1).tolist()
        return list(zip(self.names, changes, strict=True))

    @property
    def peak(self) -> float:
        """The largest amount that was read, in MB."""
        return max(self.used, default=0.0)

    @property
    def over(self) -> float:
        """MB over the limit that it asked for; 0.0 where that is not known."""
        if self.asked is None or self.limit is None:
            return 0.0
        return round(round(self.held, 1) + round(self.asked, 1) - self.limit, 1)

    @property
    def failure(self) -> str:
        """What did not fit, in words that go on after "it stops after layer 3"."""
        if not self.asked:
            return "the process gets no more memory"
        asked = f"{self.asked:.1f} MB more are asked for"
        if self.over <= 0:
            return f"{asked}, which the process does not get"
        return (
            f"{self.held:.1f} MB are in use and {asked}, {self.over:.1f} MB over the "
            f"limit of {self.limit:g}"
        )


def make_ready() -> None:
    """Let what the steps' processes need be imported while the learner reads."""
    siblings.make_ready()


def run_step(
    gradients: Callable,
    limit: float | None = None,
    rows: int = ROWS,
    layers: int = LAYERS,
) -> StepMemory:
    """Run `gradients(weights, x, y, row_losses, most)` once, in a process of its own.

    Args:
        gradients: the learner's function; it is called on a few rows first, so that
            what TensorFlow takes once is not counted.
        limit: MB that the process may take while it runs; None: as many as it wants.
        rows: how many rows the step has.
        layers: of the network.

    Raises:
        StepFailed: it stopped with an error other than for memory, did not end, or is
            a tf.function.
        OSError: this system can't limit a process's memory.
    """
    if sys.platform != "linux":
        raise OSError(
            "This cell limits the memory of a process, which only Linux can do: run "
            "this notebook on Linux, in a container, or on Binder."
        )
    label = getattr(gradients, "__name__", "my_gradients")
    if hasattr(gradients, "get_concrete_function"):
        raise StepFailed((f"{label} {ONE_GRAPH}",))
    with tempfile.TemporaryDirectory() as folder:
        child = siblings.start(_child, gradients, limit, rows, layers, folder)
        patience = Patience(CPU_SECONDS, lambda: [child.pid], rest_seconds=REST_SECONDS)
        try:
            wait_for(lambda: _over(child), patience, "the step to end")
        except OutOfTime as why:
            raise StepFailed(explain(why, gradients)) from None
        finally:
            child.kill()
        code = child.poll()
        file = Path(folder) / "step.json"
        if not file.exists():
            raise StepFailed((f"The step's process ended with the code {code}.",))
        told = json.loads(file.read_text())
        if told["problem"]:
            raise StepFailed(tuple(told["problem"]))
        file = Path(folder) / "gradients.npy"
        flat = np.load(file) if file.exists() else np.zeros(0, np.float32)
    marks = [tuple(column) for column in zip(*told["marks"], strict=True)] or [()] * 3
    end = told["asked"], told["held"], told["error"]
    return StepMemory(label, limit, *marks, *end, flat)


def _over(child: siblings.Sibling) -> bool:
    go_on()  # a turned knob stops this run
    return child.poll() is not None


class _Network:
    """Layers of 64 numbers that note the memory in use, forward and backward."""

    def __init__(self, layers: int) -> None:
        import tensorflow as tf

        rng = np.random.default_rng(11)
        shape = (WIDTH, WIDTH)
        self.weights = [
            tf.Variable(rng.normal(size=shape).astype(np.float32) / 8)
            for _ in range(layers)
        ]
        self.marks: list[tuple[str, int, float]] = []
        self.start = 0

    def data(self, rows: int) -> tuple:
        """Return x (rows, 64) and y (rows,), not made in one large float64 piece."""
        import tensorflow as tf

        rng = np.random.default_rng(12)
        x = rng.standard_normal((rows, WIDTH), dtype=np.float32)
        y = x[:, 0] * 0.5 + np.linspace(0, 1, rows, dtype=np.float32)
        return tf.constant(x), tf.constant(y)

    def row_losses(self, x, y):
        """Return one squared error for each row."""
        import tensorflow as tf

        rows = len(x)
        for number, w in enumerate(self.weights, 1):
            note = self._noting(f"layer {number}: backward", rows)
            if number > 1:
                x = note(x)
            else:  # nobody asks for the gradient of the data
                w = note(tf.convert_to_tensor(w))
            product = tf.matmul(x, w)
            self._mark(f"layer {number}: matmul", rows)
            output = tf.tanh(product)
            self._mark(f"layer {number}: tanh", rows)
            x = output
            del product, output  # no gradient needs the product
            self._mark(f"layer {number}: matmul freed", rows)
        return (tf.reduce_sum(x, axis=1) - y) ** 2

    def _noting(self, name: str, rows: int) -> Callable:
        """Return an identity that makes a note when its gradient is computed."""
        import tensorflow as tf

        @tf.custom_gradient
        def same(tensor):
            def backward(gradient):
                self._mark(name, rows)
                return gradient

            return tensor, backward

        return same

    def _mark(self, name: str, rows: int) -> None:
        self.marks.append((name, rows, (_taken() - self.start) / MB))


def _child(
    function: Callable, limit: float | None, rows: int, layers: int, folder: str
) -> None:
    """Run the step in this process, and write down its memory and its result."""
    import resource

    import tensorflow as tf

    hold_only_tensors()
    tf.config.run_functions_eagerly(True)  # the notes are taken in Python
    told = {"marks": [], "asked": None, "held": 0.0}
    told |= {"error": "", "problem": []}
    network = _Network(layers)
    x, y = network.data(rows)
    unlimited = resource.getrlimit(resource.RLIMIT_AS)
    try:
        function(network.weights, x[:40], y[:40], network.row_losses, 16)
        network.marks.clear()
        network.start = _taken()
        if limit is not None:
            top = int(network.start + limit * MB)
            resource.setrlimit(resource.RLIMIT_AS, (top, unlimited[1]))
        result = function(network.weights, x, y, network.row_losses, MOST)
        resource.setrlimit(resource.RLIMIT_AS, unlimited)
        np.save(Path(folder) / "gradients.npy", _flat(result))
    except (tf.errors.ResourceExhaustedError, MemoryError) as error:
        resource.setrlimit(resource.RLIMIT_AS, unlimited)
        last = network.marks[-1][2] if network.marks else 0.0
        told["error"] = f"{type(error).__name__}: {getattr(error, 'message', error)}"
        asked = told["asked"] = _bytes_asked(told["error"]) / MB
        # what an operation held for itself is gone; with less, it would have fitted
        fits = 0.0 if limit is None else limit - asked
        told["held"] = max(last, (_taken() - network.start) / MB, fits)
    except BaseException as error:
        resource.setrlimit(resource.RLIMIT_AS, unlimited)
        told["problem"] = list(explain(error, function))
    told["marks"] = network.marks
    file = Path(folder) / "step.part"
    file.write_text(json.dumps(told))
    file.rename(file.with_suffix(".json"))


def _flat(result: object) -> np.ndarray:
    """Return the gradients in one row, float32.

    Raises:
        StepFailed: there is something else among them, such as None.
    """
    parts = result if isinstance(result, list | tuple) else [result]
    try:
        if any(part is None for part in parts):
            raise TypeError  # NumPy would make NaN of it
        return np.concatenate([np.ravel(np.asarray(g, np.float32)) for g in parts])
    except (TypeError, ValueError):
        what = ", ".join(type(part).__name__ for part in parts[:3]) or "an empty list"
        raise StepFailed(
            (
                "The function must return one gradient for each weight, each an array "
                f"or a tensor. Yours returned {what}.",
            )
        ) from None


def _taken() -> int:
    """Return the bytes of address space that this process holds."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _bytes_asked(text: str) -> float:
    """Return the bytes of a float32 tensor whose shape TensorFlow's error names."""
    found = _SHAPE.search(text)
    sizes = [int(n) for n in found[1].split(",") if n] if found else [0]
    return 4.0 * np.prod(sizes)
