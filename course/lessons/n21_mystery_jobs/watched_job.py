"""Run a whole training job on replicas, and watch what it does in each step."""

from __future__ import annotations

import gc
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import FrameType
from unittest import mock

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import op_callbacks, ops

from course.checks.deadline import deadline
from course.checks.failures import sentences_of
from course.lessons.n21_mystery_jobs.job_record import JobRecord, StepSeen, Task
from course.lessons.n21_mystery_jobs.sent import Sent
from course.lessons.n21_mystery_jobs.surroundings import Surroundings
from course.runs.devices import short_name
from course.runs.host_watch import watching_host
from course.runs.placement import MULTIPLIES
from course.runs.replicas import STEP_SECONDS
from course.runs.spans import stamped

Job = Callable[..., object]  # of (folder, probe)
# files of TensorFlow that read values for its own use
READERS = {"input_lib.py", "script_ops.py", "tensor_util.py", "map_fn.py"}
# operations that give values to Python, in a graph too; and one that only waits
CALLS_PYTHON = {"EagerPyFunc", "PyFunc", "PyFuncStateless"}
WAITS = {"CheckNumerics"}
KERAS = "/keras/src/"
PASSING = ("/tensorflow/", "/numpy/", "/course/", "/unittest/", "/contextlib.py")
DECODE_SECONDS = 0.004  # of one row
WEIGHTS = 2  # numbers of the model in every job
MOST = 3  # times as many steps as one device makes, after which a job is stopped


class Probe:
    """What a job calls, so that one can see what it does."""

    def __init__(self, task: Task, devices: Sequence[str]) -> None:
        self.devices = list(devices)
        self._task, self._most = task, MOST * len(task.batches)
        self._lock, self._own = threading.Lock(), threading.local()
        self._rows: dict[int, list[int]] = {}
        self._at_work: set[str] = set()
        self._multiplied: set[str] = set()  # devices asked for, of the last trace
        self._traced_now = False
        self._python = self._reads = self._in_graph = self._pieces = 0
        self._decoding = self.decoded_at_once = 0
        self.sent = Sent()
        self.steps: list[StepSeen] = []
        self.copies: list[np.ndarray] = []

    def decode(self, *row: tf.Tensor) -> tuple[tf.Tensor, ...]:
        """Return a row (id, x, y) unchanged, after the time that its decoding takes.

        id: int64, (); x: float32, (2,); y: float32, ().
        """

        def wait(number: np.ndarray) -> np.ndarray:
            with self._lock:
                self._decoding += 1
                self.decoded_at_once = max(self.decoded_at_once, self._decoding)
            time.sleep(DECODE_SECONDS)
            with self._lock:
                self._decoding -= 1
            return number

        self._own.busy = True
        number = tf.numpy_function(wait, [row[0]], tf.int64, stateful=False)
        number.set_shape([])
        self._own.busy = False
        return (number, *row[1:])

    def rows(self, ids: tf.Tensor, x: tf.Tensor) -> tf.Tensor:
        """Return `x` unchanged, and note the rows a replica works on, and where.

        ids: int64, (rows,); x: float32, (rows, 2). Call it inside a replica.
        """
        context = tf.distribute.get_replica_context()
        if context is None:
            return x  # Keras, which builds the model before it trains
        self._own.busy = True
        replica = int(tf.get_static_value(context.replica_id_in_sync_group))
        self._python += 1

        def note(device: str, numbers: np.ndarray) -> None:
            with self._lock:
                self._rows.setdefault(replica, []).extend(int(i) for i in numbers)
                if len(numbers):
                    self._at_work.add(device)
                    self._pieces += 1

        mark = stamped(tf.cast(ids, tf.float32), note)
        self._own.busy = False
        return x + 0.0 * mark[:, None]

    def step(self, w: tf.Variable | Sequence[tf.Variable]) -> None:
        """Note the end of a step, and all copies of `w`, which has two numbers.

        w: a variable, or the variables of a model's stages, in their order.
        """
        if len(self.steps) >= self._most:
            raise ValueError(
                f"the job made {len(self.steps)} steps, far more than one device does: "
                "is there a loop that never ends?"
            )
        self._own.busy = True
        copies = _copies(w)
        if copies.shape[-1] != WEIGHTS:
            self._own.busy = False
            raise ValueError(
                f"probe.step needs the job's {WEIGHTS} weights; it was given "
                f"{copies.shape[-1]} numbers"
            )
        self.copies.append(copies)
        kept = _batches_in_memory() / self._task.copies
        self._own.busy = False
        count = self._task.copies
        rows = tuple(tuple(self._rows.get(r, ())) for r in range(count))
        worked = self._at_work & (self._multiplied or self._at_work)
        if self._task.kind == "stages":
            worked = self._multiplied  # rows are seen in the first stage only
        messages, numbers = self.sent.step()
        seen = StepSeen(
            rows,
            tuple(sorted(worked)),
            self._python,
            self._reads + self._in_graph,
            kept=int(np.ceil(kept)),
            messages=messages,
            numbers=numbers,
            pieces=self._pieces,
        )
        self.steps.append(seen)
        self._rows, self._at_work, self._traced_now = {}, set(), False
        self._python = self._reads = self._pieces = 0

    def operation(self, op_type, inputs, attrs, outputs, op_name=None, graph=None):
        """Note where multiplications are to run, and what waits; TensorFlow calls."""
        kind = op_type.decode() if isinstance(op_type, bytes) else op_type
        if kind in MULTIPLIES:
            if not self._traced_now:
                self._multiplied, self._traced_now = set(), True
            self._multiplied.add(short_name(outputs[0].device))
        if getattr(self._own, "busy", False):
            return
        if graph is None and kind in CALLS_PYTHON | WAITS:
            self._reads += 1
        elif graph is not None and kind in CALLS_PYTHON:
            self._in_graph = 1

    def read(self) -> None:
        """The host waits for a value; what TensorFlow or we read does not count."""
        if not getattr(self._own, "busy", False) and not _inside(sys._getframe()):
            self._reads += 1


def _inside(frame: FrameType | None) -> bool:
    """Whether TensorFlow reads for its own use (iterators, stamps), or Keras does."""
    nearest = None  # the first frame that is neither TensorFlow's nor NumPy's
    while frame is not None:
        file = frame.f_code.co_filename
        if Path(file).name in READERS:
            return True
        if nearest is None and not any(part in file for part in PASSING):
            nearest = file
        frame = frame.f_back
    return nearest is not None and KERAS in nearest


def _copies(w: object) -> np.ndarray:
    """All replicas' values of a variable, TensorFlow's or Keras', (replicas, 2)."""
    if isinstance(w, Sequence):  # of stages: each has a part, and nobody a copy
        return np.concatenate([_copies(part) for part in w], axis=1)
    w = getattr(w, "value", w) if not isinstance(w, tf.Variable) else w
    parts = getattr(w, "values", None) or (w,)
    return np.array([np.ravel(part.numpy()) for part in parts], np.float64)


def _batches_in_memory() -> int:
    """How many tensors of rows there are: float32, of two columns."""
    gc.collect()
    return sum(
        isinstance(each, ops.EagerTensor)
        and each.dtype == tf.float32
        and each.shape.rank == 2
        and each.shape[1] == 2
        and each.shape[0] > 0
        for each in gc.get_objects()
    )


def watch_job(
    job: Job, task: Task, beside: Surroundings, devices: Sequence[str]
) -> JobRecord:
    """Call `job(folder, probe)` once, and watch it.

    Args:
        job: trains two weights, which start at 0, on the rows in `folder`. It must
            give `probe.decode` to its dataset's `map`, call `probe.rows(ids, x)` in
            each replica's step and `probe.step(w)` after each step.
        task: what is to be trained.
        beside: what the job finds.
        devices: one replica, or one stage, on each.

    Raises:
        StepFailed: the job stopped with an error, or did not end.
    """
    probe = Probe(task, devices)
    with tempfile.TemporaryDirectory(prefix="course-job-") as folder:
        beside.write(folder)
        gc.freeze()  # what is there already need not be looked through after each step
        op_callbacks.add_op_callback(probe.operation)
        try:
            with (
                sentences_of(job),
                deadline(STEP_SECONDS),
                watching_host(probe.read),
                probe.sent.watching(),
                mock.patch.dict("os.environ", beside.variables[0]),
            ):
                job(folder, probe)
        finally:
            op_callbacks.remove_op_callback(probe.operation)
            gc.unfreeze()
    # the most of the whole run: on a busy machine, a step may see fewer
    steps = [replace(seen, readers=probe.decoded_at_once) for seen in probe.steps]
    start = np.zeros((task.copies, 2))
    copies = np.array([start, *probe.copies])
    return JobRecord(task, tuple(steps), copies, gathered=probe.sent.gathered)
