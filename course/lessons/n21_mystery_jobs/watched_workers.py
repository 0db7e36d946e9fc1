"""Run a whole training job in real workers, and watch what it does in each step."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import tensorflow as tf

from course.checks.failures import StepFailed, sentences_of
from course.lessons.n21_mystery_jobs.job_record import JobRecord, StepSeen, Task
from course.lessons.n21_mystery_jobs.sent import Sent
from course.lessons.n21_mystery_jobs.surroundings import Surroundings
from course.lessons.n21_mystery_jobs.watched_job import MOST
from course.runs.cluster import ClusterRun, note, run_workers
from course.whole_files import write_whole

WorkerJob = Callable[..., object]  # of (folder, probe)


class WorkerProbe:
    """What a worker's job calls, so that one can see what it does."""

    def __init__(self, task: Task) -> None:
        self._most = MOST * len(task.batches)
        self.sent = Sent(between_workers=True)
        self._rows: list[list[int]] = []
        self._copies: list[list[float]] = []
        self._sent: list[tuple[int, int]] = []

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
        self._sent.append(self.sent.step())
        self._tell()

    def _tell(self) -> None:
        gathered = self.sent.gathered
        note(rows=self._rows, copies=self._copies, sent=self._sent, gathered=gathered)


def _numbers(w: tf.Variable) -> list[float]:
    return [float(value) for value in np.asarray(w)]


def watch_workers(job: WorkerJob, task: Task, beside: Surroundings) -> JobRecord:
    """Call `job(folder, probe)` once in each of `task.parts` real workers.

    Args:
        job: trains two weights on the rows in `folder`. It calls `probe.start(w)`
            before the first step, and in each step `probe.rows(ids, x)` and
            `probe.step(w)`. `folder` holds a checkpoint `saved`, where an earlier run
            was stopped, and hosts.json, the addresses of all workers.
        task: what is to be trained.
        beside: what the job finds.

    Raises:
        StepFailed: the job stopped with an error in a worker; says which, and why.
    """
    with tempfile.TemporaryDirectory(prefix="course-job-") as folder:
        beside.write(folder)
        run = run_workers(_inside, job, task, beside, folder, workers=task.parts)
    if any(end.outcome in ("raised", "left", "killed") for end in run.ends):
        run.values()  # raises, and says why
    return _record(task, run)


def _inside(job: WorkerJob, task: Task, beside: Surroundings, folder: str) -> None:
    config = os.environ["TF_CONFIG"]
    known = json.loads(config)
    rank = known["task"]["index"]
    text = json.dumps(known["cluster"], indent=1) + "\n"
    write_whole(Path(folder, "hosts.json"), text.encode())  # both write the same
    os.environ.update(beside.variables[rank])
    os.environ["TF_CONFIG"] = beside.cluster(config)
    probe = WorkerProbe(task)
    with sentences_of(job), probe.sent.watching():
        job(folder, probe)


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
        pairs = run.ends[0].facts.get("sent") or [(1, 3)]
        messages, numbers = pairs[k if k < len(pairs) else 0]  # of one that waits
        steps.append(StepSeen(own, at, messages=messages, numbers=numbers))
    done = min(map(len, copies))
    weights = np.array([told[:done] for told in copies], np.float64)
    ended = all(end.outcome == "returned" for end in run.ends)
    for end, begun, after in zip(run.ends, rows, copies, strict=True):
        if ended and len(after) != len(begun) + 1:
            said = (
                f"{len(begun)} steps began, and probe.step came {len(after) - 1} times"
            )
            raise StepFailed((f"On {end.name}, {said}: call it after each step.",))
    gathered = any(end.facts.get("gathered") for end in run.ends)
    copies = weights.transpose(1, 0, 2)
    return JobRecord(task, tuple(steps), copies, ended, gathered)
