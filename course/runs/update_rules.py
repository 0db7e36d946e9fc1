"""What an update rule does to all replicas' weights, computed without TensorFlow.

The sequential truth comes from TensorFlow. These closed forms give the RESULT of a
known mistake, so that a check can recognise it among wrong answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course.runs.recording import Recording
from course.runs.workloads import LEARNING_RATE, Rows

# (copies of shape (replicas, 2), one shard for each replica) -> new copies
Rule = Callable[[np.ndarray, Sequence[Rows]], np.ndarray]


@dataclass(frozen=True)
class Job:
    """One training run to be done on `replicas` devices.

    rows: the examples, in order; batch: rows in a step; steps: number of steps.
    """

    rows: Rows
    batch: int
    replicas: int
    steps: int = 10

    def __str__(self) -> str:
        return (
            f"{len(self.rows)} rows, batch {self.batch}, {self.replicas} replicas, "
            f"{self.steps} steps"
        )


def follow(rule: Rule, job: Job, label: str = "") -> Recording:
    """Return the recording of a run in which every step applies `rule`.

    The first weights are zero; every replica is taken to work on its own rows.
    """
    copies, ids = [np.zeros((job.replicas, 2))], []
    for part in job.rows.batches(job.batch, job.steps):
        shards = part.shards(job.replicas)
        copies.append(rule(copies[-1], shards))
        ids.append(tuple(tuple(s.ids.tolist()) for s in shards))
    counts = tuple(tuple(len(shard) for shard in step) for step in ids)
    return Recording(label, np.array(copies), tuple(ids), counts)


def summed_gradient(w: np.ndarray, rows: Rows) -> np.ndarray:
    """Return the gradient of the sum of squared errors at `w`, shape (2,)."""
    error = rows.x.astype(np.float64) @ w - rows.y
    return 2.0 * error @ rows.x


def mean_gradient(w: np.ndarray, rows: Rows) -> np.ndarray:
    """Return the gradient of the mean squared error; zero for no rows, as in TF."""
    return summed_gradient(w, rows) / len(rows) if len(rows) else np.zeros(2)


def each(gradient, copies: np.ndarray, shards: Sequence[Rows]) -> np.ndarray:
    """Return `gradient(own copy, own rows)` for every replica, shape (replicas, 2)."""
    return np.array([gradient(w, s) for w, s in zip(copies, shards, strict=True)])


def descend(copies: np.ndarray, gradients: np.ndarray) -> np.ndarray:
    """Return the copies after one SGD step; `gradients` broadcasts over replicas."""
    return copies - LEARNING_RATE * gradients


def own_step(copies: np.ndarray, shards: Sequence[Rows]) -> np.ndarray:
    """Every replica applies the mean gradient of its own rows."""
    return descend(copies, each(mean_gradient, copies, shards))


def mean_of_means(copies: np.ndarray, shards: Sequence[Rows]) -> np.ndarray:
    """All replicas apply the mean of the replicas' mean gradients."""
    return descend(copies, each(mean_gradient, copies, shards).mean(axis=0))


def sum_of_means(copies: np.ndarray, shards: Sequence[Rows]) -> np.ndarray:
    """All replicas apply the sum of the replicas' mean gradients."""
    return descend(copies, each(mean_gradient, copies, shards).sum(axis=0))


def replica_0_step(copies: np.ndarray, shards: Sequence[Rows]) -> np.ndarray:
    """All replicas apply the mean gradient of replica 0's rows."""
    return descend(copies, each(mean_gradient, copies, shards)[0])


def reduced_loss_step(copies: np.ndarray, shards: Sequence[Rows]) -> np.ndarray:
    """Every replica applies its own gradient times the number of replicas.

    That is the gradient of a loss that was summed over the replicas inside the tape.
    """
    return descend(copies, len(shards) * each(mean_gradient, copies, shards))


def sum_over_rows(
    copies: np.ndarray, shards: Sequence[Rows], rows: float | None = None
) -> np.ndarray:
    """All replicas apply the sum of all rows' gradients, divided by `rows`.

    By default that is the number of rows in all shards: the sequential step.
    """
    rows = count(shards) if rows is None else rows
    if rows == 0:
        return copies
    return descend(copies, each(summed_gradient, copies, shards).sum(axis=0) / rows)


def count(shards: Sequence[Rows]) -> int:
    """Return the number of rows in all shards."""
    return sum(len(shard) for shard in shards)
