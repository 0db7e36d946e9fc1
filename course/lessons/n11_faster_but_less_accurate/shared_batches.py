"""Train on replicas by a plan: how many rows each takes in a step, at which rate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import tensorflow as tf

from course.checks.deadline import deadline
from course.checks.failures import WrongReturn, sentences_of
from course.runs.devices import mirrored
from course.runs.recording import Recording
from course.runs.replicas import each_replica, hand_out
from course.runs.sequential import train_sequentially
from course.runs.stopping import go_on
from course.runs.workloads import LEARNING_RATE, Rows

PLAN = "(shares, rate, steps): a list of whole numbers, a number, a whole number"
MOST_STEPS = 400
SECONDS = 5.0  # processor time of a plan; one needs none


@dataclass(frozen=True)
class Training:
    """A training as one device does it.

    rows: number of examples; an epoch goes through them in order.
    batch: rows in a step; the last step of an epoch takes what is left.
    rate: the learning rate.
    epochs: how often it goes through the rows.
    """

    rows: int = 64
    batch: int = 8
    rate: float = LEARNING_RATE
    epochs: int = 4

    @property
    def steps(self) -> int:
        """Steps of all epochs."""
        return self.epochs * -(-self.rows // self.batch)

    def __str__(self) -> str:
        return (
            f"{self.rows} rows, batch {self.batch}, rate {self.rate:g}, {self.epochs} "
            "epochs"
        )


@dataclass(frozen=True)
class Plan:
    """A training as replicas do it.

    shares: rows of each replica in a full step; at an epoch's end, the first replicas
        get what is left.
    rate: the learning rate.
    steps: steps of the whole training.
    """

    shares: tuple[int, ...]
    rate: float
    steps: int


# (training, number of replicas) -> (shares, rate, steps)
Planner = Callable[[Training, int], tuple]
# the rows of each replica in a step -> the same rows, shared out otherwise
Deal = Callable[[list[Rows]], list[Rows]]


def plan_of(planner: Planner, training: Training, replicas: int) -> Plan:
    """Call the learner's planner, and return its plan.

    Raises:
        WrongReturn: what it returned is no plan; the message says why.
    """
    answer = planner(training, replicas)
    try:
        shares, rate, steps = answer
        shares = tuple(_whole(share) for share in np.asarray(shares).tolist())
        rate, steps = float(rate), _whole(np.asarray(steps).item())
    except (TypeError, ValueError, AttributeError, OverflowError):
        raise WrongReturn.of(answer, PLAN) from None
    if len(shares) != replicas:
        what = f"{len(shares)} shares" if len(shares) != 1 else "1 share"
        what += f" for {replicas} replicas"
        raise WrongReturn.of(answer, PLAN, what)
    if min(shares) < 0:
        raise WrongReturn.of(answer, f"{PLAN}; shares are numbers of rows")
    if not 0 <= steps <= MOST_STEPS:
        raise WrongReturn.of(answer, f"{PLAN}; steps from 0 to {MOST_STEPS}")
    if not np.isfinite(rate):
        raise WrongReturn.of(answer, f"{PLAN}; the rate is a finite number")
    return Plan(shares, rate, steps)


def _whole(value: object) -> int:
    if isinstance(value, bool) or int(value) != value:
        raise ValueError(value)
    return int(value)


def cuts(plan: Plan, rows: Rows) -> list[list[Rows]]:
    """Return for each step the rows of each replica; a step without rows is none."""
    steps, at = [], 0
    for _ in range(plan.steps if sum(plan.shares) else 0):
        shards = []
        for share in plan.shares:
            end = min(at + share, len(rows))
            shards.append(rows.take(np.arange(at, end)))
            at = end
        at = 0 if at == len(rows) else at
        steps.append(shards)
    return steps


def train_by(
    plan: Plan,
    rows: Rows,
    devices: Sequence[str],
    label: str = "yours",
    deal: Deal | None = None,
) -> Recording:
    """Train two weights on replicas as `plan` says, with the mean over a step's rows.

    Args:
        plan: one share for each of `devices`.
        rows: the examples, in order.
        devices: one replica on each.
        label: how figures name this run.
        deal: who gets which of a step's rows; in order by default.

    Returns:
        The Recording of all replicas' weights.
    """
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
        sums = [tape.gradient(loss, w), tf.cast(tf.shape(x)[0], tf.float32)]
        context = tf.distribute.get_replica_context()
        gradient, count = context.all_reduce("SUM", sums)
        w.assign_sub(plan.rate * gradient / count)

    return follow(plan, rows, strategy, replica_step, w, label, deal)


def follow(
    plan: Plan,
    rows: Rows,
    strategy: tf.distribute.Strategy,
    replica_step: Callable,
    w: tf.Variable,
    label: str = "yours",
    deal: Deal | None = None,
) -> Recording:
    """Call `replica_step(x, y)` in each replica, step by step; record all copies of w.

    x, y: the replica's rows, float32, shapes (rows, 2) and (rows,).
    """

    @tf.function(reduce_retracing=True)
    def run_step(x, y):
        strategy.run(replica_step, args=(x, y))

    copies, ids = [each_replica(strategy, w)], []
    for shards in cuts(plan, rows):
        go_on()
        shards = deal(shards) if deal else shards
        x, y = [s.x for s in shards], [s.y for s in shards]
        run_step(hand_out(strategy, x), hand_out(strategy, y))
        copies.append(each_replica(strategy, w))
        ids.append(tuple(tuple(s.ids.tolist()) for s in shards))
    counts = tuple(tuple(map(len, step)) for step in ids)
    return Recording(label, np.array(copies, np.float64), tuple(ids), counts)


def train_planned(
    planner: Planner,
    training: Training,
    rows: Rows,
    devices: Sequence[str],
    label: str = "yours",
) -> Recording:
    """Ask `planner` for a plan of `training` on `devices`, and train by it.

    Raises:
        StepFailed: the planner stopped with an error, or did not end.
    """
    with sentences_of(planner), deadline(SECONDS):
        plan = plan_of(planner, training, len(devices))
    return train_by(plan, rows, devices, label)


def train_alone(
    rows: Rows, batch: int, rates: Sequence[float], label: str = ""
) -> Recording:
    """Train sequentially: a step of `batch` rows for each of `rates`."""
    run = train_sequentially(rows, batch, len(rates), rates=rates)
    return replace(run, label=label or f"one device, batch {batch}")


def losses(run: Recording, rows: Rows) -> np.ndarray:
    """Return the mean squared error over all rows, at the start and after each step."""
    x, y = rows.x.astype(np.float64), rows.y.astype(np.float64)
    return np.mean((run.copies[:, 0] @ x.T - y) ** 2, axis=1)


def seen(run: Recording) -> np.ndarray:
    """Return how many examples were used, at the start and after each step."""
    return np.cumsum([0, *map(sum, run.examples)])
