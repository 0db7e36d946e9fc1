"""Six pairs of workers whose calls do not fit together, at the same time, for real."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence

import tensorflow as tf

from course.runs.cluster import run_groups
from course.runs.cluster.recording import End
from course.runs.worker_steps import worker_strategy

QUESTIONS = ("Does a worker wait forever?", "Does a worker get an error?")
A, B, LONG = ("a", 1), ("b", 1), ("b", 2)  # a gradient's name, and its elements
VALUES = {"a": 1.0, "b": 2.0}, {"a": 100.0, "b": 200.0}  # of the workers
LESS = "worker 1: one call fewer"
MORE = "worker 1: one call more"
ORDER = "worker 1: b before a"
SIZES = "worker 1: b before a, and b is longer"  # who waits there is chance
DTYPE = "worker 1: float16"
GONE_0 = "worker 0: its process ends"
WAYS = (LESS, MORE, ORDER, DTYPE, GONE_0)


def observe_pairs() -> dict[str, tuple[bool, bool]]:
    """Let two real workers try each of the ways.

    Returns:
        way -> whether one of them waited until all was stopped, and whether one got an
        error.
    """
    return {
        way: (
            any(end.outcome == "waited" for end in ends),
            any(end.outcome == "raised" for end in ends),
        )
        for way, ends in run_pairs().items()
    }


def run_pairs(ways: Sequence[str] = WAYS) -> dict[str, tuple[End, End]]:
    """Return, for each way, how the two workers ended; a value is the list of sums."""
    works = [functools.partial(_work, way) for way in ways]
    runs = run_groups(works, [2] * len(ways))
    return {way: run.ends for way, run in zip(ways, runs, strict=True)}


def _work(way: str) -> list[list[float]]:
    """In a worker: the sums of a and b over both workers."""
    strategy = worker_strategy()
    worker = strategy.cluster_resolver.task_id
    dtype = "float16" if way == DTYPE and worker == 1 else "float32"
    total = _total_in(strategy, dtype)
    total("a", 1)  # the connection is there: what comes now is about the calls
    if way == GONE_0 and worker == 0:
        os._exit(0)
    return [total(name, elements) for name, elements in _calls(way, worker)]


def _calls(way: str, worker: int) -> list[tuple[str, int]]:
    second = LONG if way == SIZES else B
    if worker == 0:
        return [A, second]
    odd = {LESS: [A], MORE: [A, B, A], ORDER: [B, A], SIZES: [LONG, A]}
    return odd.get(way, [A, second])


def _total_in(strategy: tf.distribute.Strategy, dtype: str) -> Callable:
    worker = strategy.cluster_resolver.task_id

    def total(name: str, elements: int) -> list[float]:
        own = tf.fill([elements], tf.constant(VALUES[worker][name], dtype))
        context = tf.distribute.get_replica_context
        summed = strategy.run(lambda: context().all_reduce("SUM", tf.identity(own)))
        return summed.numpy().tolist()

    return total
