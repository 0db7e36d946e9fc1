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

from course.checks.failures import StepFailed, sentences_of
from course.runs.cluster import ClusterRun, note, run_workers
from course.runs.recording import Recording
from course.runs.sequential import train_on_batches
from course.runs.worker_steps import step_over_workers
from course.runs.workloads import Rows

Own = Sequence[np.ndarray]  # the values that one worker brings
Give = Callable[..., Sequence[tf.Variable]]  # of (strategy, own)
Sync = Callable[..., object]  # of (strategy, variables)
Snapshot = list[tuple[str, np.ndarray]]  # (name, values) in order of creation

LOW, HIGH = (-1.2, -0.4), (0.2, 1.6)  # of the two weights that a worker brings
POLL = 0.05
SECONDS = 8.0  # of processor time; a run that is right needs about 1
QUIET = 3.0  # seconds of rest after which a worker that waits will do so for ever


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


def train_from(
    give: Give, sync: Sync, rows: Rows, steps: int = 20, seed: int = 2
) -> StartRun:
    """Train two real workers from two weights that each has drawn for itself.

    Args:
        give: `give(strategy, own)` makes the two variables in every worker; `own` are
            its two numbers.
        sync: `sync(strategy, variables)` is called in every worker before step 1.
        rows: the examples; a batch has 8 of them.
        steps: how many.
        seed: the numbers are drawn from it, others in each worker.

    Raises:
        StepFailed: a worker stopped with an error, or waits for ever; says which.
    """
    own = tuple(
        tuple(np.random.default_rng([seed, w]).uniform(LOW, HIGH).astype(np.float32))
        for w in (0, 1)
    )
    job = StartJob(rows, 8, steps, own)
    return start_workers(give, sync, job, getattr(sync, "__name__", "yours"))


def start_workers(give: Give, sync: Sync, job: StartJob, label: str) -> StartRun:
    """Do the same for any StartJob.

    Raises:
        StepFailed: a worker stopped with an error, or waits for ever; says which.
    """
    with tempfile.TemporaryDirectory(prefix="course-starts-") as folder:
        arguments = (_train, give, sync, job, folder)
        limits = {"seconds": SECONDS, "quiet": QUIET, "tries": 2}
        run = run_workers(*arguments, workers=job.workers, **limits)
    snapshots = _values(run)
    copies = [[_weights(moment) for moment in own[1:]] for own in snapshots]
    recording = Recording(label, np.array(copies, np.float64).swapaxes(0, 1))
    start = _weights(snapshots[0][0])
    truth = train_on_batches(job.batches, start=start).copies[:, 0]
    return StartRun(recording, truth, snapshots)


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


def _train(give: Give, sync: Sync, job: StartJob, folder: str) -> list[Snapshot]:
    """The inside of a worker: all variables at every moment."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    worker = strategy.cluster_resolver.task_id
    with sentences_of(give):
        variables = _verified(give(strategy, job.own[worker]))
    moments = [_snapshot(variables)]
    chief = strategy.cluster_resolver.cluster_spec().task_address("worker", 0)
    meeting = Path(folder, chief.replace(":", "-"))  # another one in another try
    meeting.mkdir(exist_ok=True)
    _call_sync(strategy, sync, variables, meeting, worker)
    if not _all_here(meeting, job.workers):
        return moments
    moments.append(_snapshot(variables))
    step = step_over_workers(strategy, variables[:2])
    for batch in job.batches:
        shard = batch.shards(job.workers)[worker]
        step(tf.constant(shard.x), tf.constant(shard.y))
        moments.append(_snapshot(variables))
    return moments


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
        raise TypeError(f"it must return two variables, not {variables!r}")
    return found


def _snapshot(variables: Sequence[tf.Variable]) -> Snapshot:
    return [(v.name.split(":")[0], np.array(v.numpy())) for v in variables]


def _weights(moment: Snapshot) -> list[float]:
    return [float(values) for _, values in moment[:2]]


def _values(run: ClusterRun) -> list:
    """Return what the workers came to; say who waits where, and who has gone on."""
    if not any(end.outcome in ("left", "killed", "raised") for end in run.ends):
        inside = [
            end
            for end in run.ends
            if end.outcome == "waited" and "left" not in end.facts
        ]
        if inside:
            raise StepFailed(tuple(_waiting(inside, run)))
    return run.values()


def _waiting(inside: Sequence, run: ClusterRun) -> list[str]:
    gone = [end.name for end in run.ends if end not in inside]
    sentences = [
        f"{end.name.capitalize()} was stopped at {end.line}." for end in inside
    ]
    if gone:
        sentences.append(
            f"{' and '.join(gone).capitalize()} came to the function's end without "
            "that call. A call that joins the workers ends when ALL have made it."
        )
    else:
        sentences.append(
            "Nobody came to the function's end: do the workers' calls to each other "
            "match, and does every loop end?"
        )
    return sentences
