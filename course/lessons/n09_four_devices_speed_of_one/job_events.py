"""Run the lines of a small training job for real; note what each costs the host."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import tensorflow as tf

from course.runs.devices import mirrored
from course.runs.host_watch import watching_host
from course.runs.replicas import hand_out

# (step, line, what): what is "trace", "read" or "in turn"
Event = tuple[int, int, str]


def run_job(lines: Sequence[str], devices: Sequence[str], steps: int) -> list[Event]:
    """Execute `lines` in order, `steps` times over, and return what they cost.

    The lines may use these names: `strategy`; `step(x)`, a replica's step;
    `train_step(batch)`, a `tf.function` that runs it in all replicas and adds up what
    they return; `scale(value, factor)`, a `tf.function`; `batch`; `weights`, a list of
    tensors; `history`, an empty list; `i`, the number of the step, from 0; `tf`.

    Returns:
        One event for every graph that was traced ("trace"), for every value that was
        read from a tensor ("read"), and for every time that the replicas worked one
        after the other, since no graph held them ("in turn").
    """
    names, eager = _names(devices)
    events: list[Event] = []
    codes = [compile(line, f"line {at}", "exec") for at, line in enumerate(lines)]
    for i in range(steps):
        names["i"] = i
        for at, code in enumerate(codes):
            eager.clear()
            with watching_host() as watch:
                exec(code, names)
            events += [(i, at, "trace")] * len(watch.traces)
            events += [(i, at, "read")] * watch.reads
            events += [(i, at, "in turn")] * (len(eager) // len(devices))
    return events


def _names(devices: Sequence[str]) -> tuple[dict, list]:
    """Return what a job's lines may use, and a list that grows at each eager step."""
    strategy, eager = mirrored(devices), []

    def step(x):
        if tf.executing_eagerly():
            eager.append(1)
        return tf.reduce_sum(x**2)

    @tf.function
    def train_step(batch):
        return strategy.reduce("SUM", strategy.run(step, args=(batch,)), axis=None)

    shares = [np.float32([n, n / 2]) for n in range(1, len(devices) + 1)]
    names = {
        "tf": tf,
        "strategy": strategy,
        "step": step,
        "train_step": train_step,
        "scale": tf.function(lambda value, factor: value * factor),
        "batch": hand_out(strategy, shares),
        "weights": [tf.constant(v) for v in np.linspace(0.1, 0.9, 9).tolist()],
        "history": [],
    }
    return names, eager
