"""What a step costs on several replicas, and the same measured with waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import tensorflow as tf

from course.runs.devices import mirrored
from course.runs.replicas import hand_out
from course.runs.spans import SpanRecorder, Timeline, stamped


@dataclass(frozen=True)
class Costs:
    """What a step consists of, in ms.

    fixed: of every replica, however few rows it has (starting operations, say).
    row: of each of a replica's rows.
    exchange: of the all-reduce, for each replica beyond the first.
    """

    fixed: float
    row: float
    exchange: float


def measure_step(
    costs: Costs, batch: int, devices: Sequence[str], lanes: Sequence[str]
) -> Timeline:
    """Run one step of `batch` rows with a replica on each of `devices`.

    The work of a replica and the exchange are waits, as long as `costs` says. That
    replicas work at the same time, and wait for the all-reduce, is TensorFlow's doing.

    Args:
        costs: in ms.
        batch: rows in the step; the largest share is rounded up.
        devices: one replica on each.
        lanes: rows of the figure: at least `devices`, and "exchange".
    """
    strategy, recorder = mirrored(devices), SpanRecorder()
    rows = -(-batch // len(devices))

    def work(device, values):
        recorder.wait(device, costs.fixed / 1000, kind="fixed")
        recorder.wait(device, costs.row * rows / 1000, kind="rows")

    def exchange(device, values):
        seconds = costs.exchange * (len(devices) - 1) / 1000
        recorder.wait("exchange", seconds, kind="exchange")

    @tf.function
    def step(x):
        def replica_step(x):
            context = tf.distribute.get_replica_context()
            return context.all_reduce("SUM", stamped(x, work))

        total = strategy.run(replica_step, args=(x,))
        first = strategy.experimental_local_results(total)[0]
        return stamped(first, exchange) if len(devices) > 1 else first

    x = hand_out(strategy, [1.0 + replica for replica in range(len(devices))])
    step(x)  # traced
    recorder.clear()
    step(x)
    n = len(devices)
    return recorder.timeline(f"{n} replica{'s' * (n > 1)}", lanes)
