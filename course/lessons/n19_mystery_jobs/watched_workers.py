"""Run a whole training job in real workers, and watch what it does in each step."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable

import numpy as np
import tensorflow as tf

from course.checks.failures import StepFailed, sentences_of
from course.lessons.n19_mystery_jobs.job_record import JobRecord, StepSeen, Task
from course.lessons.n19_mystery_jobs.watched_job import MOST
from course.runs.cluster import ClusterRun, note, run_workers

WorkerJob = Callable[..., object]  # of (size, saved, probe)
NAMES = ("w", "done")  # of what the earlier run saved


class WorkerProbe:
    """What a worker's job calls, so that one can see what it does.

    worker: this worker's number; workers: how many there are.
    """

    def __init__(self, task: Task) -> None:
        config = json.loads(os.environ["TF_CONFIG"])
        self.worker = config["task"]["index"]
        self.workers = len(config["cluster"]["worker"])
        self._task, self._most = task, MOST * len(task.batches)
        self._rows: list[list[int]] = []
        self._copies: list[list[float]] = []

    def data(self) -> tf.data.Dataset:
        """Return the rows in order, (id, x, y) for each; a strategy must come first."""
        rows = self._task.rows
        return tf.data.Dataset.from_tensor_slices((rows.ids, rows.x, rows.y))

    def rows(self, ids: tf.Tensor, x: tf.Tensor) -> tf.Tensor:
        """Return `x` unchanged, and note the rows this worker begins a step with.

        ids: int64, (rows,); x: float32, (rows, 2). Call it once a step, outside graphs.
        """
        if len(self._rows) >= self._most:
            raise ValueError(
                f"the job made {len(self._rows)} steps, far more than one device does: "
                "is there a loop that never ends?"
            )
        self._rows.append([int(i) for i in np.asarray(ids)])
        self._tell()
        return x

    def start(self, w: tf.Variable) -> None:
        """Note the weights before the first step; `w` has the shape (2,)."""
        self._copies = [_numbers(w)]
        self._tell()

    def step(self, w: tf.Variable) -> None:
        """Note the weights after a step."""
        self._copies.append(_numbers(w))
        self._tell()

    def _tell(self) -> None:
        note(rows=self._rows, copies=self._copies)


def _numbers(w: tf.Variable) -> list[float]:
    return [float(value) for value in np.asarray(w)]


def watch_workers(job: WorkerJob, task: Task) -> JobRecord:
    """Call `job(size, saved, probe)` once in each of `task.parts` real workers.

    Args:
        job: trains two weights on `probe.data()`, in batches of `size` rows. It calls
            `probe.start(w)` before the first step, and in each step
            `probe.rows(ids, x)` and `probe.step(w)`. `saved` is a checkpoint with `w`,
            and `done`, the number of batches that an earlier run used.
        task: what is to be trained.

    Raises:
        StepFailed: the job stopped with an error in a worker; says which, and why.
    """
    with tempfile.TemporaryDirectory(prefix="course-saved-") as folder:
        saved = _saved(folder, task)
        run = run_workers(_inside, job, task, saved, workers=task.parts)
    if any(end.outcome in ("raised", "left", "killed") for end in run.ends):
        run.values()  # raises, and says why
    return _record(task, run)


def _saved(folder: str, task: Task) -> str:
    """Write what the earlier run left, and return its path."""
    w, done = tf.Variable(task.start), tf.Variable(task.first)
    return tf.train.Checkpoint(w=w, done=done).save(f"{folder}/saved")


def _inside(job: WorkerJob, task: Task, saved: str) -> None:
    with sentences_of(job):
        job(task.size, saved, WorkerProbe(task))


def _record(task: Task, run: ClusterRun) -> JobRecord:
    """Put together what the workers told; a step that not all ended is the last."""
    rows = [end.facts.get("rows", []) for end in run.ends]
    copies = [end.facts.get("copies", []) for end in run.ends]
    missing = [end.name for end, told in zip(run.ends, copies, strict=True) if not told]
    if missing:
        raise StepFailed(
            (
                f"On {missing[0]}, the job never called probe.start(w), which notes "
                "the weights before the first step.",
            )
        )
    steps = []
    for k in range(max(map(len, rows))):
        own = tuple(tuple(told[k]) if k < len(told) else () for told in rows)
        at = tuple(
            end.name for end, t in zip(run.ends, rows, strict=True) if k < len(t)
        )
        steps.append(StepSeen(own, at))
    done = min(map(len, copies))
    weights = np.array([told[:done] for told in copies], np.float64)
    ended = all(end.outcome == "returned" for end in run.ends)
    for end, begun, after in zip(run.ends, rows, copies, strict=True):
        if ended and len(after) != len(begun) + 1:
            said = (
                f"{len(begun)} steps began, and probe.step came {len(after) - 1} times"
            )
            raise StepFailed((f"On {end.name}, {said}: call it after each step.",))
    return JobRecord(task, tuple(steps), weights.transpose(1, 0, 2), ended)
