"""Train two weights in real workers, and record which rows each of them read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.failures import sentences_of
from course.lessons.n14_identical_on_every_worker.worker_input import (
    Make,
    Reading,
    in_steps,
    sequential_batches,
    verified,
)
from course.runs.cluster import run_workers
from course.runs.recording import Recording
from course.runs.sequential import train_on_batches
from course.runs.worker_steps import step_over_workers, sum_of_workers, worker_strategy
from course.runs.workloads import Rows


@dataclass(frozen=True, eq=False)
class WorkerRun:
    """A training of several workers beside the same training on one device.

    recording: its replicas are the workers, one replica each.
    lengths: steps of each epoch.
    truth: float64, (steps + 1, 2): weights of the sequential run, its own steps.
    sequential: the rows of its batches: [epoch][step].
    reading: what was to be read.
    """

    recording: Recording
    lengths: tuple[int, ...]
    truth: np.ndarray
    sequential: list
    reading: Reading

    @property
    def label(self) -> str:
        """How figures name this run."""
        return self.recording.label

    def apart(self) -> np.ndarray:
        """Largest weight difference between two workers after each step."""
        return np.ptp(self.recording.copies, axis=1).max(axis=1)

    def off(self) -> np.ndarray:
        """Largest weight difference from one device, over the steps that both made."""
        steps = min(len(self.truth), len(self.recording.copies))
        gaps = self.recording.copies[:steps] - self.truth[:steps, None]
        return np.abs(gaps).max(axis=(1, 2))

    def epochs(self) -> list:
        """The rows that were read: [epoch][step][worker]."""
        ends = np.cumsum(self.lengths)
        starts = [0, *ends[:-1]]
        return [
            list(self.recording.ids[a:b]) for a, b in zip(starts, ends, strict=True)
        ]


# what a worker tells: "ids" [epoch][step], "weights" (steps + 1, 2), "sequential"
Told = dict[str, object]


def train_workers(
    make: Make,
    rows: Rows,
    batch: int = 6,
    seed: int = 5,
    epochs: int = 3,
    label: str | None = None,
) -> WorkerRun:
    """Train with `make(context, rows, batch, seed)` as the input of two real workers.

    The gradient of a step is the sum over all rows that both workers read, divided by
    their number.

    Raises:
        StepFailed: a worker stopped with an error; says which, and why.
    """
    reading = Reading(rows, batch, seed, epochs=epochs)
    return train_reading(make, reading, label or getattr(make, "__name__", "yours"))


def train_reading(make: Make, reading: Reading, label: str) -> WorkerRun:
    """Do the same for a Reading of one replica a worker.

    Raises:
        StepFailed: a worker stopped with an error; says which, and why.
    """
    run = run_workers(_train, make, reading, workers=reading.workers, tries=2)
    return recorded(run.values(), reading, label)


def recorded(told: Sequence[Told], reading: Reading, label: str) -> WorkerRun:
    """Make a WorkerRun of what all workers told."""
    copies = np.stack([each["weights"] for each in told], axis=1)
    ids = [
        tuple(tuple(worker[0]) for worker in step)
        for epoch in zip(*(each["ids"] for each in told), strict=True)
        for step in in_steps([[[ids] for ids in worker] for worker in epoch])
    ]
    lengths = tuple(len(epoch) for epoch in told[0]["ids"])
    sequential = told[0]["sequential"]
    batches = [reading.rows.take(ids) for epoch in sequential for ids in epoch]
    truth = train_on_batches(batches).copies[:, 0]
    recording = Recording(label, copies, tuple(ids))
    return WorkerRun(recording, lengths, truth, sequential, reading)


def _train(make: Make, reading: Reading) -> Told:
    """The inside of a worker: what it read, and its weights after each step."""
    strategy = worker_strategy()
    sequential = sequential_batches(reading)  # before the learner's function
    made = made_by(make, strategy, reading, reading.data)
    told = train_on(strategy, reading, lambda: iter(made.take(reading.most_steps)))
    return {**told, "sequential": sequential}


def made_by(
    make: Make,
    strategy: tf.distribute.Strategy,
    reading: Reading,
    data: tf.data.Dataset,
) -> tf.data.Dataset:
    """Return what an input function makes of `data`, called by the strategy.

    It is read here, not by the strategy: the distributed iterator waited for ever,
    twice in 250 runs on a busy machine.
    """
    made = []

    def dataset(context: tf.distribute.InputContext) -> tf.data.Dataset:
        with sentences_of(make):
            made.append(verified(make(context, data, reading.batch, reading.seed)))
        return made[0]

    strategy.distribute_datasets_from_function(dataset)
    return made[0]


def train_on(
    strategy: tf.distribute.Strategy,
    reading: Reading,
    epoch: Callable[[], Iterator[tuple]],
) -> Told:
    """Train on this worker's batches (ids, x, y); `epoch()` iterates over them once."""
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
    step, how_many = step_over_workers(strategy, w), sum_of_workers(strategy)
    weights, read = [w.numpy()], []
    for _ in range(reading.epochs):
        own, batches = [], epoch()
        while True:
            batch = next(batches, None)
            # a worker without rows takes part until all have none
            if not int(how_many(tf.constant(float(batch is not None)))):
                break
            ids, x, y = batch or ([], tf.zeros((0, 2)), tf.zeros(0))
            step(x, y)
            own.append([int(row) for row in ids])
            weights.append(w.numpy())
        read.append(own)
    return {"ids": read, "weights": np.array(weights, np.float64)}
