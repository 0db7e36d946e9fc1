"""Real workers that call a learner's function in stages; messages are counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import tensorflow as tf

from course.checks.failures import sentences_of
from course.lessons.n16_more_workers_slower_steps.linked_workers import (
    LinkedRun,
    run_linked,
)
from course.runs.cluster.gates import Gate
from course.runs.worker_steps import worker_strategy

WORKERS = 2
# from a strategy and the learner's function: what a worker does in a stage
Begin = Callable[[tf.distribute.Strategy, Callable], Callable[[object], object]]


def run_stages(
    begin: Begin,
    function: Callable,
    own: Sequence[Sequence[object]],
    delays: Sequence[float] | None = None,
) -> LinkedRun:
    """Let workers do something in each stage; values are [worker][stage].

    Args:
        begin: a function of a module, called in each worker with a strategy and
            `function`; returns what is called in each stage.
        function: the learner's.
        own: [worker][stage]: what that is called with.
        delays: of each stage: seconds that each byte takes, one way; none by default.

    Raises:
        StepFailed: a worker stopped with an error; says which, and why.
    """
    slow = [[delay] * len(own) for delay in delays or [0.0] * len(own[0])]
    return run_linked(_work, begin, function, own, delays=slow)


def _work(gate: Gate, begin: Begin, function: Callable, of_workers: Sequence) -> list:
    strategy = worker_strategy(health_checks=False)  # they would be counted, too
    own = of_workers[strategy.cluster_resolver.task_id]
    found = []
    with sentences_of(function):
        in_stage = begin(strategy, function)
        for number, what in enumerate(own):
            gate.wait(number)
            found.append(in_stage(what))
    gate.wait(len(own))
    return found
