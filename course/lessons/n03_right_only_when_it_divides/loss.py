"""Core exercise: a replica's loss in which every row of the step counts the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.lessons.n03_right_only_when_it_divides.losses import (
    example_weights,
    fraction,
    train_with_loss,
)
from course.runs.counting import MANY
from course.runs.devices import virtual_devices
from course.runs.recording import Recording
from course.runs.replica_exercises import (
    DEVICES,
    compare_runs,
    expect_sequential,
    observation,
)
from course.runs.update_rules import Job, descend, each, follow, summed_gradient
from course.runs.workloads import regression

BATCH = 8

# rows per replica -> the weight that one row of each replica gets
Weigh = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Weighing:
    """One step whose examples' weights are measured: rows per replica."""

    counts: tuple[int, ...]

    def __str__(self) -> str:
        return f"a step of {'+'.join(map(str, self.counts))} rows"


def draw(rng: np.random.Generator) -> list[Weighing | Job]:
    """Draw single steps, then runs whose last batch has 3 rows or 1.

    One step has more rows than those that are shown: rows that are padded to a fixed
    size do not fit there, or are seen to grow.
    """
    jobs = [
        Job(regression(rows, int(rng.integers(1000))), BATCH, replicas)
        for rows, replicas in ((19, 2), (17, 2), (19, 4))
    ]
    more = int(rng.integers(2, 4))
    few = [Weighing((more, 1)), Weighing((1, 0)), Weighing((2, 2, more - 1, 0))]
    return [*few, *jobs, Weighing((MANY, int(rng.integers(20, 24))))]


def _observe(loss: Callable, case: Weighing | Job) -> Observation:
    devices = virtual_devices(DEVICES)
    if isinstance(case, Weighing):
        weights = example_weights(loss, case.counts, devices[: len(case.counts)])
        return Observation(np.concatenate(weights))
    own = devices[: case.replicas]
    run = train_with_loss(
        loss, case.rows, case.batch, case.steps, own, by_tf_data=False
    )
    return observation(run)


def _expect(case: Weighing | Job) -> Observation:
    if isinstance(case, Job):
        return expect_sequential(case)
    total = sum(case.counts)
    return Observation(np.full(total, 1 / total))


def _compare(case: Weighing | Job, got: Observation, truth: Observation) -> Difference:
    if isinstance(case, Job):
        return compare_runs(case, got, truth)
    last, shown = 0, []
    for count in case.counts:
        shown.append(_in_words(got.values[last : last + count]))
        last += count
    rows = len(truth.values)
    return Difference(
        f"The rows got the weights {' | '.join(shown)} (| separates the replicas).",
        f"Expected {fraction(truth.values[0])} for every row: the mean over the "
        f"{rows} row{'s' if rows > 1 else ''} of the step.",
    )


def _in_words(weights: np.ndarray) -> str:
    """Return the weights of a replica's rows: "1/4, 1/4", "40 rows of 1/60"."""
    each = list(map(fraction, weights))
    if len(each) > 4:
        groups = ((f, len(list(same))) for f, same in groupby(each))
        return ", ".join(f"{n} row{'s' if n > 1 else ''} of {f}" for f, n in groups)
    return ", ".join(each) or "no row"


def _mistake(code: str, weigh: Weigh, cause: str, gathered: bool = False) -> Mistake:
    """Return the mistake of giving the rows of each replica the weights of `weigh`."""

    def rule(copies, shards):
        weights = weigh(np.array([len(shard) for shard in shards]))
        gradients = each(summed_gradient, copies, shards)
        return descend(copies, weights @ gradients)

    def observe(case: Weighing | Job) -> Observation:
        if isinstance(case, Weighing):
            counts = np.array(case.counts)
            return Observation(weigh(counts).repeat(counts))
        run = follow(rule, case)
        whole = tuple((sum(map(len, step)),) * case.replicas for step in run.ids)
        worked = whole if gathered else run.examples
        return observation(Recording("", run.copies, run.ids, worked))

    return Mistake(code, cause, observe)


def _means(counts: np.ndarray) -> np.ndarray:
    return 1 / np.maximum(counts, 1)


def _flat(value: Callable[[np.ndarray], float]) -> Weigh:
    return lambda counts: np.full(len(counts), value(counts))


EQUAL_WEIGHTS = Exercise(
    name="03/my_loss",
    cases=draw,
    observe=_observe,
    expect=_expect,
    compare=_compare,
    mistakes=(
        _mistake(
            "mean_of_means",
            lambda c: _means(c) / len(c),
            "each replica's mean counts the same, however many rows are behind it. "
            "Dividing the sum by the replica's own count, or compute_average_loss "
            "without the batch size, does the same thing.",
        ),
        _mistake(
            "sum_of_means",
            _means,
            "the replicas' means are added up, not averaged. If you averaged them with "
            "all_reduce: the gradients are added up afterwards, which undoes that.",
        ),
        _mistake(
            "sum_only",
            _flat(lambda c: 1.0),
            "the losses are added up and never divided, so with m rows the step is m "
            "times too large.",
        ),
        _mistake(
            "constant_batch",
            _flat(lambda c: 1 / BATCH),
            "the sum is always divided by the full batch size. The last batch has "
            "fewer rows, so its step is too small. That is another truth than the "
            "mean over the rows of the step.",
        ),
        _mistake(
            "constant_batch_and_replicas",
            lambda c: np.full(len(c), 1 / (BATCH * len(c))),
            "the sum is divided by the full batch size, and by the number of replicas "
            "too, although the gradients are added up.",
        ),
        _mistake(
            "size_as_sample_weight",
            lambda c: BATCH * _means(c) / len(c),
            "the second argument of compute_average_loss is sample_weight, not the "
            "batch size. Every loss is multiplied by it.",
        ),
        _mistake(
            "times_replicas",
            _flat(lambda c: len(c) / c.sum()),
            "the weights are even, but with n replicas they are n times too large: the "
            "count is a mean over the replicas; or the loss is added up over the "
            "replicas, and then the gradients are added up once more.",
        ),
        _mistake(
            "divided_twice",
            _flat(lambda c: 1 / (len(c) * c.sum())),
            "the sum is divided by the rows of all replicas, and by the number of "
            "replicas too. The gradients are added up, not averaged.",
        ),
        _mistake(
            "mean_over_all_rows",
            lambda c: _means(c) / c.sum(),
            "a replica's MEAN is divided by the rows of all replicas. Its own rows are "
            "divided out already: divide the SUM.",
        ),
        _mistake(
            "nonempty_means",
            lambda c: _means(c) / (c > 0).sum(),
            "empty replicas are left out, but a replica with one row still counts as "
            "much as one with two.",
        ),
        _mistake(
            "replica_0_count",
            _flat(lambda c: 1 / (c[0] * len(c))),
            "the number of rows is taken as replica 0's count times the number of "
            "replicas; the last replicas have fewer.",
        ),
        _mistake(
            "no_gradient",
            _flat(lambda c: 0.0),
            "the loss does not depend on the losses of the rows, so no weight moves.",
        ),
        _mistake(
            "gathered_losses",
            _flat(lambda c: 1 / c.sum()),
            "a number for each row is sent, as it is or padded to a fixed size. The "
            "weights are right, but one count from each replica is enough.",
            gathered=True,
        ),
    ),
    right="Every row of every step has the same weight, with uneven and empty shards "
    "too, and all replicas equal the sequential run.",
    locate="03/my_first_unequal",
)
