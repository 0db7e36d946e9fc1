"""Real workers that each bring start values of their own: made alike, then trained."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf

from course.checks.failures import WrongReturn, sentences_of
from course.lessons.n15_workers_differ_before_step_one.giving import HIGH, LOW
from course.lessons.n15_workers_differ_before_step_one.training import (
    PLAIN,
    Rule,
    on_one_device,
    step_of_workers,
)
from course.lessons.n15_workers_differ_before_step_one.waiting import values_of
from course.runs.cluster import note, run_workers
from course.runs.recording import Recording
from course.runs.worker_steps import worker_strategy
from course.runs.workloads import Rows

Own = Sequence[np.ndarray]  # the values that one worker brings
Give = Callable[..., Sequence[tf.Variable]]  # of (strategy, own)
Sync = Callable[..., object]  # of (strategy, variables)
Snapshot = list[tuple[str, np.ndarray]]  # (name, values) in order of creation

POLL = 0.05
TRIES = 2  # where workers came to rest: TensorFlow's collectives do, now and then


@dataclass(frozen=True)
class Start:
    """How workers begin, and with which steps they go on.

    give: makes the variables; the first two are the weights.
    label: how figures name it.
    own: each worker gives numbers of its own; else all give the chief's.
    rule: of the steps; with momentum, that begins with the worker's numbers, too.
    """

    give: Give
    label: str
    own: bool = True
    rule: Rule = PLAIN


@dataclass(frozen=True, eq=False)
class StartJob:
    """A training that begins with values which every worker brings.

    rows, batch, steps: what is trained; each worker has its shard of every batch.
    own: for each worker its values; the first two are the weights.
    """

    rows: Rows
    batch: int
    steps: int
    own: tuple[Own, ...]

    @property
    def workers(self) -> int:
        """How many."""
        return len(self.own)

    @property
    def batches(self) -> list[Rows]:
        """The batch of each step."""
        return self.rows.batches(self.batch, self.steps)


@dataclass(frozen=True, eq=False)
class StartRun:
    """What came of it, beside one device that begins with the chief's values.

    recording: its replicas are the workers; `copies[0]` is what each began to train
        with.
    truth: float64, (steps + 1, 2): weights of the sequential run.
    snapshots: `snapshots[worker][moment]` lists (name, values) of all variables in
        order of creation: 0 as given, 1 after the synchronisation, 1 + k after step k.
    """

    recording: Recording
    truth: np.ndarray
    snapshots: list[list[Snapshot]]

    @property
    def label(self) -> str:
        """How figures name this run."""
        return self.recording.label

    def apart(self) -> np.ndarray:
        """Largest difference between two workers: (steps + 1, weights)."""
        return np.ptp(self.recording.copies, axis=1)

    def off(self) -> np.ndarray:
        """Largest difference of any worker from one device, for each step."""
        return np.abs(self.recording.copies - self.truth[:, None]).max(axis=(1, 2))


def train_from(give: Give, sync: Sync, rows: Rows) -> StartRun:
    """Train two real workers from two weights that each has drawn for itself.

    Args:
        give: `give(strategy, own)` makes the two variables in every worker; `own` are
            its two numbers.
        sync: `sync(strategy, variables)` is called in every worker before step 1.
        rows: the examples; a batch has 8 of them.

    Raises:
        StepFailed: a worker stopped with an error, or waits for ever; says which.
    """
    start = Start(give, getattr(sync, "__name__", "yours"))
    return start_workers([start], sync, job_of(rows))[0]


def job_of(rows: Rows, workers: int = 2, steps: int = 20, seed: int = 195) -> StartJob:
    """Return the training of some workers, each with two numbers drawn for itself."""
    drawn = (
        np.random.default_rng([seed, w]).uniform(LOW, HIGH) for w in range(workers)
    )
    return StartJob(
        rows, 8, steps, tuple(tuple(own.astype(np.float32)) for own in drawn)
    )


def start_workers(starts: Sequence[Start], sync: Sync, job: StartJob) -> list[StartRun]:
    """Do a StartJob in each of these ways, one after the other, in the same workers.

    Raises:
        StepFailed: a worker stopped with an error, or waits for ever; says which.
    """
    with tempfile.TemporaryDirectory(prefix="course-starts-") as folder:
        arguments = (_train, starts, sync, job, folder)
        run = run_workers(*arguments, workers=job.workers, tries=TRIES)
    told = zip(*values_of(run), strict=True)
    return [_run(*each, job) for each in zip(starts, told, strict=True)]


def _run(start: Start, snapshots: Sequence[list[Snapshot]], job: StartJob) -> StartRun:
    copies = [[_weights(moment) for moment in own[1:]] for own in snapshots]
    recording = Recording(start.label, np.array(copies, np.float64).swapaxes(0, 1))
    given = snapshots[0][0]
    m = given[2][1] if start.rule.slowed else np.zeros(2)
    truth = on_one_device(job.batches, start.rule, _weights(given), m)
    return StartRun(recording, truth, list(snapshots))


def assigned(strategy: tf.distribute.Strategy, own: Own) -> list[tf.Variable]:
    """Make variables of any kind in the scope, all zero; then assign this worker's."""
    with strategy.scope():
        made = [
            tf.Variable(np.zeros_like(value), name=f"v{k}")
            for k, value in enumerate(own)
        ]
    for variable, value in zip(made, own, strict=True):
        variable.assign(value)
    return made


def _train(
    starts: Sequence[Start], sync: Sync, job: StartJob, folder: str
) -> list[list[Snapshot]]:
    """The inside of a worker: for each way, all variables at every moment."""
    strategy = worker_strategy()
    worker = strategy.cluster_resolver.task_id
    chief = strategy.cluster_resolver.cluster_spec().task_address("worker", 0)
    told = []
    for number, start in enumerate(starts):
        # another one in another try
        meeting = Path(folder, f"{number}-{chief.replace(':', '-')}")
        meeting.mkdir(exist_ok=True)
        own = job.own[worker if start.own else 0]
        with sentences_of(start.give):
            variables = _verified(start.give(strategy, own))
        if start.rule.slowed:
            with strategy.scope():
                variables.append(tf.Variable([0.0, 0.0], name="m"))
            variables[-1].assign(own)
        moments = [_snapshot(variables)]
        told.append(moments)
        _call_sync(strategy, sync, variables, meeting, worker)
        if not _all_here(meeting, job.workers):
            break
        moments.append(_snapshot(variables))
        step = step_of_workers(strategy, start.rule, variables)
        for batch in job.batches:
            shard = batch.shards(job.workers)[worker]
            step(tf.constant(shard.x), tf.constant(shard.y))
            moments.append(_snapshot(variables))
    return told


def _call_sync(strategy, sync: Sync, variables, meeting: Path, worker: int) -> None:
    try:
        with sentences_of(sync):
            sync(strategy, list(variables))
    except BaseException:
        (meeting / "failed").touch()
        raise
    note(left=True)
    (meeting / str(worker)).touch()


def _all_here(meeting: Path, workers: int) -> bool:
    """Wait until all have left the learner's function; False where one failed.

    A collective would meet those that still wait in it: files do not.
    """
    while True:
        found = os.listdir(meeting)
        if "failed" in found or len(found) == workers:
            return "failed" not in found
        time.sleep(POLL)


def _verified(variables: object) -> list[tf.Variable]:
    try:
        found = list(variables)
    except TypeError:
        found = []
    if len(found) < 2 or not all(isinstance(v, tf.Variable) for v in found):
        raise WrongReturn.of(variables, "two variables")
    return found


def _snapshot(variables: Sequence[tf.Variable]) -> Snapshot:
    return [(v.name.split(":")[0], np.array(v.numpy())) for v in variables]


def _weights(moment: Snapshot) -> list[float]:
    return [float(values) for _, values in moment[:2]]
