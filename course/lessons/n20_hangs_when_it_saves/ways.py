"""Six ways to save with TensorFlow's checkpoints, in pairs of workers, for real."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import tensorflow as tf

from course.lessons.n20_hangs_when_it_saves.saving_job import (
    Job,
    by_class,
    counted_rows,
    job_of,
)
from course.runs.cluster import run_groups
from course.runs.worker_steps import step_over_workers, worker_strategy

QUESTIONS = ("Do both come to the end?", "Is the checkpoint right?")
W = "worker 0 saves w"
BOTH = "worker 0 saves w and seen"
ONE_PATH = "both save both: one path"
OWN_PATHS = "both save both: a path each"
CLOCKS = "a path each, by its own clock"
EVALUATES = "a path each; one evaluates"
WAYS = (W, BOTH, ONE_PATH, OWN_PATHS, CLOCKS, EVALUATES)

AT_ONCE = 3  # pairs; all six would need more memory than a small machine has
STEPS = 20
AT = 12  # the step after which clocks say that it is time, or one evaluates
JOB = job_of([[2 + k % 3, 3 + k % 2] for k in range(STEPS)], seed=3)


def observe_ways() -> dict[str, tuple[bool, bool]]:
    """Let two real workers try each of the ways.

    Returns:
        way -> whether both came to the end; whether the last checkpoint of worker 0 is
        there, whole, and holds what a single device and a count of all rows give.
    """
    return _observe(WAYS[:AT_ONCE]) | _observe(WAYS[AT_ONCE:])


def _observe(ways: Sequence[str]) -> dict[str, tuple[bool, bool]]:
    with tempfile.TemporaryDirectory(prefix="course-ways-") as parent:
        folders = [Path(parent, str(number)) for number in range(len(ways))]
        for folder in folders:
            folder.mkdir()
        works = [
            functools.partial(_work, way, JOB, str(folder))
            for way, folder in zip(ways, folders, strict=True)
        ]
        runs = run_groups(works, [2] * len(ways))
        return {
            way: (
                all(end.outcome == "returned" for end in run.ends),
                _is_right(folder, way),
            )
            for way, folder, run in zip(ways, folders, runs, strict=True)
        }


def saves_after(way: str, step: int, worker: int) -> bool:
    """Return whether a worker saves after a step."""
    if way in (W, BOTH):
        return worker == 0 and step in (AT, STEPS - 1)
    if way == CLOCKS:
        return step == (AT + worker)
    if way == ONE_PATH:
        return True  # often, since two that do not meet in time do no harm
    return step in (AT, STEPS - 1)


def _work(way: str, job: Job, folder: str) -> None:
    """In a worker: train, and save in this way."""
    strategy = worker_strategy()
    worker = strategy.cluster_resolver.task_id
    with strategy.scope():
        w, seen = tf.Variable([0.0, 0.0]), counted_rows()
    step = step_over_workers(strategy, w)
    step.get_concrete_function()
    held = {"w": w} if way == W else {"w": w, "seen": seen}
    checkpoint = tf.train.Checkpoint(**held)
    for k in range(STEPS):
        rows = job.own(k, worker)
        step(tf.constant(rows.x), tf.constant(rows.y))
        strategy.run(lambda counted: seen.assign_add(counted), (by_class(rows),))
        if saves_after(way, k, worker):
            name = "both" if way == ONE_PATH else f"worker_{worker}"
            checkpoint.write(f"{folder}/{name}_{k}")
        if way == EVALUATES and worker == 0 and k == STEPS - 1:
            strategy.reduce("SUM", strategy.run(lambda: tf.ones(3)), axis=None)


def _is_right(folder: Path, way: str) -> bool:
    """Whether the last checkpoint of worker 0 can be read, and is right."""
    k = AT if way == CLOCKS else STEPS - 1
    name = "both" if way == ONE_PATH else "worker_0"
    truth = JOB.after(k)
    truth = truth[:2] if way == W else truth
    try:
        reader = tf.train.load_checkpoint(f"{folder}/{name}_{k}")
        names = ("w",) if way == W else ("w", "seen")
        held = [
            reader.get_tensor(f"{each}/.ATTRIBUTES/VARIABLE_VALUE") for each in names
        ]
    except (tf.errors.OpError, ValueError):
        return False
    return bool(np.allclose(np.concatenate(held), truth, rtol=0, atol=1e-4))
