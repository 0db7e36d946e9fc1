"""Jobs on four replicas, and which training of one device each of them equals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from course.lessons.n10_faster_but_less_accurate.normalised import train_normalised
from course.lessons.n10_faster_but_less_accurate.shared_batches import Plan, train_by
from course.runs.recording import Recording
from course.runs.workloads import LEARNING_RATE, Rows

BATCHES = (8, 32)
QUESTIONS = tuple(f"batch {batch}?" for batch in BATCHES)
EPOCHS = 4
EQUAL = 1e-5


@dataclass(frozen=True)
class Job:
    """A training on replicas.

    shares: rows of each replica in a step. rate: the learning rate.
    normalised: the rows go through a BatchNormalization layer first.
    own_part: replica r takes its rows from part r of the data, as from a file of its
        own.
    """

    shares: tuple[int, ...]
    rate: float
    normalised: bool
    own_part: bool


def job(
    shares: Sequence[int],
    rate: float = LEARNING_RATE,
    normalised: bool = False,
    own_part: bool = False,
) -> Job:
    """Describe a job; nothing runs yet."""
    return Job(tuple(shares), rate, normalised, own_part)


def which_of_one_device(
    jobs: Mapping[str, Job], rows: Rows, devices: Sequence[str]
) -> dict[str, tuple[bool, ...]]:
    """Run all jobs for four epochs, and one device with each of BATCHES.

    Returns:
        Name of the job -> for each batch, whether all replicas have the weights of one
        device with this batch and the same layers after every step.
    """
    alone = {
        (batch, normalised): _run(job([batch], normalised=normalised), rows, devices)
        for batch in BATCHES
        for normalised in {each.normalised for each in jobs.values()}
    }
    found = {}
    for name, each in jobs.items():
        run = _run(each, rows, devices)
        found[name] = tuple(
            _equal(run, alone[batch, each.normalised]) for batch in BATCHES
        )
    return found


def _run(each: Job, rows: Rows, devices: Sequence[str]) -> Recording:
    batch, n = sum(each.shares), len(each.shares)
    plan = Plan(each.shares, each.rate, EPOCHS * -(-len(rows) // batch))
    if each.own_part:
        rows = _dealt_from_parts(rows, each.shares[0], n)
    train = train_normalised if each.normalised else train_by
    return train(plan, rows, devices[:n])


def _dealt_from_parts(rows: Rows, share: int, n: int) -> Rows:
    """Return the rows in an order in which each n-th piece is of the same part."""
    parts = np.arange(len(rows)).reshape(n, -1, share)
    return rows.take(parts.swapaxes(0, 1).ravel())


def _equal(run: Recording, one: Recording) -> bool:
    if run.steps != one.steps:
        return False
    return bool(np.abs(run.copies - one.copies).max() < EQUAL)
