"""Three real workers whose steps are timed: own work, then an all-reduce."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.lessons.n16_more_workers_slower_steps.linked_workers import run_linked
from course.runs.cluster.gates import Gate
from course.runs.worker_steps import worker_strategy

Step = tuple[int, int, float, float, float]  # worker, step, began, entered, left

WORKERS, STEPS = 3, 6
WORK, SLOW_WORK = 0.02, 0.08  # seconds of work in a step: a sleep
SLOW_LINK = 0.02  # seconds, one way
KINDS = ("healthy", "a slow worker", "a slow link")
SLOW = 1  # the worker, and the link
CLOCKS = (311.0, -187.0, 64.0)  # seconds by which clocks are off, as machines' are


@dataclass(frozen=True)
class TimedRun:
    """Steps of some workers, each by its own clock.

    label: how figures name this run.
    steps: (worker, step, began, entered, left), in seconds.
    requests: how many requests came to each worker's link.
    """

    label: str
    steps: tuple[Step, ...]
    requests: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.label

    @property
    def workers(self) -> int:
        """How many workers there are."""
        return 1 + max(step[0] for step in self.steps)

    def own(self, worker: int) -> float:
        """The median of a worker's own work in a step, in seconds."""
        return float(np.median([s[3] - s[2] for s in self.steps if s[0] == worker]))

    def wait(self, worker: int) -> float:
        """The median of a worker's time in the all-reduce, in seconds."""
        return float(np.median([s[4] - s[3] for s in self.steps if s[0] == worker]))


def time_workers() -> list[TimedRun]:
    """Time the steps of three workers: healthy, one of them slow, one link slow.

    Raises:
        StepFailed: a worker stopped with an error; says which, and why.
    """
    slow_link = [SLOW_LINK * (worker == SLOW) for worker in range(WORKERS)]
    none = [0.0] * WORKERS
    run = run_linked(_work, delays=[none, none, none, slow_link])
    return [
        TimedRun(
            label,
            tuple(step for value in run.values for step in value[kind]),
            run.requests[1 + kind],
        )
        for kind, label in enumerate(KINDS)
    ]


def _work(gate: Gate) -> list[list[Step]]:
    strategy = worker_strategy()
    me = strategy.cluster_resolver.task_id

    def all_reduce() -> tf.Tensor:
        context = tf.distribute.get_replica_context()
        return context.all_reduce("SUM", tf.ones(8))

    @tf.function
    def exchange() -> tf.Tensor:
        return strategy.run(all_reduce)

    gate.wait(0)
    exchange()  # the first call is traced
    zero = time.perf_counter() - CLOCKS[me]
    found = []
    for kind in range(len(KINDS)):
        gate.wait(1 + kind)
        work = SLOW_WORK if kind == 1 and me == SLOW else WORK
        found.append([])
        for step in range(STEPS):
            began = time.perf_counter()
            time.sleep(work)
            entered = time.perf_counter()
            exchange()
            times = (began, entered, time.perf_counter())
            found[-1].append((me, step, *(at - zero for at in times)))
    gate.wait(1 + len(KINDS))
    return found
