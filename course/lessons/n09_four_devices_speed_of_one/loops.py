"""Loops that run a step on all replicas: do the replicas work at the same time?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import tensorflow as tf

from course.checks.working import working
from course.runs.rendezvous import Rendezvous
from course.runs.replicas import hand_out
from course.runs.spans import stamped

QUESTIONS = ("at the same time?",)

_places: list[Rendezvous] = []  # where work waits, if observe_loops is on


def work(x: tf.Tensor) -> tf.Tensor:
    """Return 2 * x, the work of a replica: in `observe_loops`, it waits for all."""

    def wait(device: str, array: np.ndarray) -> None:
        if _places:
            _places[-1].wait()

    return 2.0 * stamped(x, wait)


def observe_loops(
    loops: Mapping[str, Callable], strategy: tf.distribute.Strategy
) -> dict[str, tuple[bool]]:
    """Run each loop once, and let each replica wait in its work for all others.

    Args:
        loops: name -> a function of x, which has another value in each replica; it
            runs `work` in all of them.
        strategy: of these replicas.

    Returns:
        name -> whether all were in their work at the same time, as QUESTIONS asks.
    """
    count = strategy.num_replicas_in_sync
    x = hand_out(strategy, np.arange(1.0, count + 1, dtype=np.float32))
    observed = {}
    for at, (name, loop) in enumerate(loops.items(), 1):
        with working(f"loop {at} of {len(loops)}: {name}"):
            observed[name] = (_meets(loop, x, count),)
    return observed


def _meets(loop: Callable, x: Sequence, count: int) -> bool:
    _places.append(Rendezvous(count))
    try:
        loop(x)
        return _places[-1].met == count
    finally:
        _places.pop()
