"""Replicas that log before and after their work: who met, and what was written when."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.deadline import deadline
from course.checks.failures import sentences_of
from course.runs.devices import mirrored
from course.runs.rendezvous import Rendezvous
from course.runs.replicas import STEP_SECONDS, each_replica, hand_out
from course.runs.spans import stamped

# (place, value, write) -> value; write(place, value) may be called when the graph runs
Log = Callable[[str, tf.Tensor, Callable], tf.Tensor]
BEGIN, WORK, END = "begin", "work", "end"


@dataclass(frozen=True)
class LoggedRun:
    """What came of a run.

    results: float64, (steps, replicas): what each replica returned.
    written: (place, number) in the order in which they were written; NaN where
        something else than a number was written.
    late: how many pieces of work began before their "begin", written later.
    """

    results: np.ndarray
    written: tuple[tuple[str, float], ...]
    late: int


def run_logged(
    log: Log, values: np.ndarray, devices: Sequence[str], place: Rendezvous
) -> LoggedRun:
    """Run steps in which each replica logs, works, and logs again.

    Args:
        log: must return its value.
        values: float32, (steps, replicas); no two are equal, nor twice another.
        devices: one replica on each of these.
        place: the work is to wait here.

    Raises:
        StepFailed: `log` stopped with an error.
        TypeError: it did not return a tensor of the shape it got.
    """
    strategy, lock = mirrored(devices), threading.Lock()
    seen: list[tuple[str, float]] = []

    @tf.autograph.experimental.do_not_convert
    def write(where, value):
        with lock:
            seen.append((str(where), _number(value)))

    def work(device, array):
        write(WORK, array / 2)
        place.wait()

    def step(value):
        value = _same_shape(log(BEGIN, value, write), value)
        value = stamped(2.0 * value, work)
        return _same_shape(log(END, value, write), value)

    run = tf.function(lambda value: strategy.run(step, args=(value,)))
    results = []
    with sentences_of(log), deadline(STEP_SECONDS):
        for row in values:
            results.append(each_replica(strategy, run(hand_out(strategy, row))))
    written = tuple(pair for pair in seen if pair[0] != WORK)
    return LoggedRun(np.array(results, np.float64), written, _late(seen))


def _late(seen: Sequence[tuple[str, float]]) -> int:
    """Count the pieces of work that stand before their own begin."""
    return sum(
        where == WORK and (BEGIN, number) in seen[at:]
        for at, (where, number) in enumerate(seen)
    )


def _number(value: object) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, NotImplementedError):
        return np.nan  # a tensor that has no value yet, or something else


def _same_shape(result: object, value: tf.Tensor) -> tf.Tensor:
    if result is None:
        raise TypeError("the log returned None: it must return the value it was given")
    if not tf.is_tensor(result) or result.dtype != value.dtype:
        raise TypeError(
            f"the log returned {str(result)[:60]!r} instead of the float32 tensor it "
            "was given"
        )
    return tf.ensure_shape(result, value.shape)
