"""What is predicted of six ways to share rows out, and what real workers do."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from course.checks.exercises import TOLERANCE
from course.lessons.n14_identical_on_every_worker.shared_files import (
    Way,
    nobody,
    part_first,
    train_from_files,
)
from course.lessons.n14_identical_on_every_worker.worker_training import WorkerRun

QUESTIONS = ("Each row read once an epoch?", "The weights of one device?")
WAYS = {
    "function, as above": Way(nobody),
    "function, own rows, shuffled": Way(part_first),
    "policy OFF": Way("OFF"),
    "policy FILE": Way("FILE"),
    "policy DATA": Way("DATA"),
    "policy DATA, own seeds": Way("DATA", own_seeds=True),
}


def observe_ways() -> dict[str, tuple[bool, bool]]:
    """Train with two real workers in each of the ways.

    Returns:
        way -> whether in each epoch each row was read once, and whether both workers'
        weights are those of one device after every step.
    """
    runs = train_from_files(list(WAYS.values()))
    return {
        name: (each_once(run), as_one_device(run))
        for name, run in zip(WAYS, runs, strict=True)
    }


def each_once(run: WorkerRun) -> bool:
    """Whether in each epoch each row was read once, over all workers."""
    rows = set(run.reading.rows.ids.tolist())
    counts = [Counter(chain(*chain(*epoch))) for epoch in run.epochs()]
    return all(set(c) == rows and max(c.values()) == 1 for c in counts)


def as_one_device(run: WorkerRun) -> bool:
    """Whether all workers have the weights of one device after every step."""
    same = run.recording.steps == len(run.truth) - 1
    return bool(same and run.off().max() < TOLERANCE)
