"""Run a whole training job on replicas, and watch what it does in each step."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from unittest import mock

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import op_callbacks

from course.checks.deadline import deadline
from course.checks.failures import sentences_of
from course.lessons.n19_mystery_jobs.job_record import JobRecord, StepSeen, Task
from course.runs.devices import mirrored, short_name
from course.runs.host_watch import watching_host
from course.runs.placement import MULTIPLIES
from course.runs.replicas import STEP_SECONDS, each_replica
from course.runs.spans import stamped

Job = Callable[..., object]  # of (strategy, w, data, size, probe)
# files of TensorFlow that read values for its own use
READERS = {"input_lib.py", "script_ops.py", "tensor_util.py", "map_fn.py"}
# operations that give values to Python, in a graph too; and one that only waits
CALLS_PYTHON = {"EagerPyFunc", "PyFunc", "PyFuncStateless"}
WAITS = {"CheckNumerics"}
_all_gather = tf.distribute.ReplicaContext.all_gather
MOST = 3  # times as many steps as one device makes, after which a job is stopped


class Probe:
    """What a job calls, so that one can see what it does."""

    def __init__(self, strategy: tf.distribute.Strategy, most: int) -> None:
        self._strategy = strategy
        self._most, self._lock, self._own = most, threading.Lock(), threading.local()
        self._rows: dict[int, list[int]] = {}
        self._devices: set[str] = set()
        self._multiplied: set[str] = set()  # devices asked for, of the last trace
        self._traced_now = False
        self._python = self._reads = self._in_graph = 0
        self.gathered = False
        self.steps: list[StepSeen] = []
        self.copies: list[np.ndarray] = []

    def rows(self, ids: tf.Tensor, x: tf.Tensor) -> tf.Tensor:
        """Return `x` unchanged, and note the rows a replica works on, and where.

        ids: int64, (rows,); x: float32, (rows, 2). Call it inside a replica.
        """
        context = tf.distribute.get_replica_context()
        if context is None:
            raise TypeError("probe.rows is called outside of a replica's step")
        self._own.busy = True
        replica = int(tf.get_static_value(context.replica_id_in_sync_group))
        self._python += 1

        def note(device: str, numbers: np.ndarray) -> None:
            with self._lock:
                self._rows.setdefault(replica, []).extend(int(i) for i in numbers)
                if len(numbers):
                    self._devices.add(device)

        mark = stamped(tf.cast(ids, tf.float32), note)
        self._own.busy = False
        return x + 0.0 * mark[:, None]

    def step(self, w: tf.Variable) -> None:
        """Note the end of a step, and all copies of `w`, a variable of shape (2,)."""
        if len(self.steps) >= self._most:
            raise ValueError(
                f"the job made {len(self.steps)} steps, far more than one device does: "
                "is there a loop that never ends?"
            )
        self._own.busy = True
        self.copies.append(np.array(each_replica(self._strategy, w), np.float64))
        self._own.busy = False
        count = self._strategy.num_replicas_in_sync
        rows = tuple(tuple(self._rows.get(r, ())) for r in range(count))
        worked = self._devices & (self._multiplied or self._devices)
        reads = self._reads + self._in_graph
        seen = StepSeen(rows, tuple(sorted(worked)), self._python, reads)
        self.steps.append(seen)
        self._rows, self._devices, self._traced_now = {}, set(), False
        self._python = self._reads = 0

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

    def gather(self, context, value, axis, options=None):
        """Stand in for `all_gather`; more than one entry of a replica is its rows."""
        gathered = _all_gather(context, value, axis, options)  # may refuse it
        entries = [tensor.shape[axis] for tensor in tf.nest.flatten(value)]
        self.gathered |= any(count != 1 for count in entries)
        return gathered

    def read(self) -> None:
        """The host waits for a value; what TensorFlow or we read does not count."""
        if not getattr(self._own, "busy", False) and not _inside(sys._getframe()):
            self._reads += 1


def _inside(frame: FrameType | None) -> bool:
    """Whether TensorFlow reads for its own use: in iterators, stamps, constants."""
    while frame is not None:
        if Path(frame.f_code.co_filename).name in READERS:
            return True
        frame = frame.f_back
    return False


def watch_job(job: Job, task: Task, devices: Sequence[str]) -> JobRecord:
    """Call `job(strategy, w, data, size, probe)` once, and watch it.

    Args:
        job: trains the variable `w` on the dataset `data`, whose elements are
            (id, x, y), one row each; it must call `probe.rows(ids, x)` in each
            replica's step and `probe.step(w)` after each step.
        task: what is to be trained.
        devices: one replica on each.

    Raises:
        StepFailed: the job stopped with an error, or did not end.
    """
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
    rows = task.rows
    data = tf.data.Dataset.from_tensor_slices((rows.ids, rows.x, rows.y))
    probe = Probe(strategy, MOST * len(task.batches))
    start = np.array(each_replica(strategy, w), np.float64)
    op_callbacks.add_op_callback(probe.operation)
    try:
        with (
            sentences_of(job),
            deadline(STEP_SECONDS),
            watching_host(probe.read),
            mock.patch.object(
                tf.distribute.ReplicaContext,
                "all_gather",
                lambda *args, **options: probe.gather(*args, **options),  # with self
            ),
        ):
            job(strategy, w, data, task.size, probe)
    finally:
        op_callbacks.remove_op_callback(probe.operation)
    copies = np.array([start, *probe.copies])
    return JobRecord(task, tuple(probe.steps), copies, gathered=probe.gathered)
