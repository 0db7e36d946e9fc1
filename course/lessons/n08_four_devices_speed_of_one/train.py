"""Fix: a training loop whose replicas work at the same time, and never wait for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

from course.exercises import Exercise, Mistake, Observation
from course.lessons.n08_four_devices_speed_of_one.runs import (
    Case,
    compare,
    draw,
    expect,
    observation,
    observe,
)

Numbers = tuple[np.ndarray, np.ndarray]  # losses; weights of shape (replicas, 2)


@dataclass(frozen=True)
class Way:
    """A way to do the steps: counts by the number of steps, and what is wrong."""

    code: str
    cause: str
    counts: Callable[[int], dict]


def _counts(eager=0, traced=1, graphs=1, functions=1, meets=True) -> dict:
    return {
        "eager": eager,
        "traced": traced,
        "graphs": graphs,
        "functions": functions,
        "meets": meets,
    }


FINE = Way("", "", lambda n: _counts())
WAYS = (
    FINE,
    Way(
        "eager",
        "strategy.run is called outside of any graph: TensorFlow then does the "
        "replicas in turn, operation by operation.",
        lambda n: _counts(eager=n, traced=0, graphs=0, functions=0, meets=False),
    ),
    Way(
        "python_rate",
        "a Python number comes to the tf.function in each step: the rate, or the "
        "number of the step. TensorFlow makes a new graph for each it has not seen.",
        lambda n: _counts(traced=n, graphs=n),
    ),
    Way(
        "function_in_the_loop",
        "every step makes a new tf.function, and so a new graph. Make it once, before "
        "the loop.",
        lambda n: _counts(traced=n, graphs=n, functions=n),
    ),
    Way(
        "unrolled",
        "one graph holds all steps, one after the other: TensorFlow went through the "
        "step's Python code once for every batch. With 1000 batches the graph has 1000 "
        "steps. Make a graph of one step, or a loop that TensorFlow runs (tf.range).",
        lambda n: _counts(traced=n),
    ),
)
READ = (
    "the host reads a value in the loop (float, print, .numpy(), an if), and so waits "
    "for the step to end. Keep tensors, and read them after the loop."
)


def _step(w: np.ndarray, part, rate: float, size: int) -> np.ndarray:
    error = part.x.astype(np.float64) @ w - part.y
    return w - rate * 2 / size * error @ part.x


def _loss_parts(w: np.ndarray, shards, size: int) -> np.ndarray:
    return np.array([np.sum((s.x @ w - s.y) ** 2) / size for s in shards])


def _numbers(
    case: Case,
    rate_of: Callable[[int], int] = lambda k: k,
    batch_of: Callable[[int], int] = lambda k: k,
    together: Callable[[np.ndarray], float] = np.sum,
) -> Numbers:
    """Train with batch `batch_of(k)` and rate `rate_of(k)` in step k."""
    schedule, w, losses = case.schedule, np.zeros(2), []
    for k in range(case.steps):
        part = schedule.batches[batch_of(k)]
        shards = part.shards(case.replicas)
        losses.append(together(_loss_parts(w, shards, len(part))))
        w = _step(w, part, schedule.rates[rate_of(k)], len(part))
    return np.array(losses), np.repeat(w[None], case.replicas, 0)


def _right(case: Case) -> Numbers:
    return _numbers(case)


def _last_only(case: Case) -> Numbers:
    losses, weights = _numbers(case)
    return losses[-1:], weights


def _added_up(case: Case) -> Numbers:
    losses, weights = _numbers(case)
    return losses.sum(keepdims=True), weights


def _mean_of_all(case: Case) -> Numbers:
    losses, weights = _numbers(case)
    return losses.mean(keepdims=True), weights


def _without_first(case: Case) -> Numbers:
    losses, weights = _numbers(case)
    return losses[1:], weights


LOSSES = (
    ("", "", _right),
    (
        "last_loss",
        "only the loss of the last batch is returned.",
        _last_only,
    ),
    (
        "replica_0_loss",
        "each loss is the part of replica 0 only. The loss of a batch is the sum of "
        "the parts of all replicas.",
        lambda case: _numbers(case, together=lambda parts: parts[0]),
    ),
    (
        "mean_loss",
        "each loss is the mean of the replicas' parts. The parts are shares of the "
        "loss already: their sum is the loss of the batch.",
        lambda case: _numbers(case, together=np.mean),
    ),
)
WRONG_NUMBERS = (
    (
        "rate_frozen",
        "every step uses the first rate. A Python number that a tf.function finds "
        "outside of its arguments is a constant of its graph: hand it in as an "
        "argument.",
        lambda case: _numbers(case, rate_of=lambda k: 0),
    ),
    (
        "last_rate",
        "every step uses the last rate.",
        lambda case: _numbers(case, rate_of=lambda k: case.steps - 1),
    ),
    (
        "rate_late",
        "every step but the first uses the rate of the step before.",
        lambda case: _numbers(case, rate_of=lambda k: max(k - 1, 0)),
    ),
    (
        "batch_frozen",
        "every step uses the first batch. A tensor that a tf.function finds outside of "
        "its arguments is a constant of its graph: hand it in as an argument.",
        lambda case: _numbers(case, batch_of=lambda k: 0),
    ),
    (
        "batch_and_rate_frozen",
        "every step uses the first batch and the first rate. What a tf.function finds "
        "outside of its arguments is a constant of its graph: hand both in.",
        lambda case: _numbers(case, batch_of=lambda k: 0, rate_of=lambda k: 0),
    ),
    (
        "losses_added_up",
        "one number is returned, the sum of all losses. Asked is the loss of each "
        "batch.",
        _added_up,
    ),
    (
        "losses_averaged",
        "one number is returned, the mean of all losses. Asked is the loss of each "
        "batch.",
        _mean_of_all,
    ),
    (
        "first_loss_missing",
        "the loss of the first batch is missing.",
        _without_first,
    ),
)


def _mistake(way: Way, read: bool, code: str, cause: str, numbers) -> Mistake:
    codes = [way.code, "reads" if read else "", code]
    causes = [cause, way.cause, READ if read else ""]
    words = " And: ".join(filter(None, causes))

    def observe_it(case: Case) -> Observation:
        losses, weights = numbers(case)
        return observation(
            losses,
            weights,
            **way.counts(case.steps),
            reads=(case.steps - 1) * read,
            steps=(case.steps,) * case.replicas,
        )

    return Mistake("_".join(filter(None, codes)), words, observe_it)


def _known() -> tuple[Mistake, ...]:
    """The shipped code first, then all the others."""
    found = [
        _mistake(way, read, *losses)
        for way, read, losses in product(WAYS, (False, True), LOSSES)
        if (way, read, losses[0]) != (FINE, False, "")
    ]
    found += [
        _mistake(FINE, read, *wrong)
        for read, wrong in product((False, True), WRONG_NUMBERS)
    ]
    found.sort(key=lambda mistake: mistake.code != "eager_reads")
    return (*found, *_less_work())


def _less_work() -> tuple[Mistake, ...]:
    def skipping(case: Case) -> Observation:
        """One batch for every trace: the others were never run."""
        return _run_steps(case, case.steps - 1)

    def warming_up(case: Case) -> Observation:
        """A step with rate 0 comes first, and its loss is not kept."""
        losses, weights = _numbers(case)
        steps = (case.steps + 1,) * case.replicas
        return observation(losses, weights, **_counts(), reads=0, steps=steps)

    def one_step(case: Case) -> Observation:
        return _run_steps(case, 1)

    def nothing(case: Case) -> Observation:
        way = {**_counts(traced=0, graphs=0, functions=0, meets=False), "reads": 0}
        zero = np.zeros((case.replicas, 2))
        return observation(np.zeros(0), zero, **way, steps=(0,) * case.replicas)

    return (
        Mistake(
            "one_step_more",
            "the replicas made a step more than there are batches, as in a warm-up. "
            "The first call traces by itself; every step belongs to the training.",
            warming_up,
        ),
        Mistake("last_batch_skipped", "the last batch is not used.", skipping),
        Mistake(
            "one_step_only",
            "only the first batch is used. Perhaps the `return` stands in the loop.",
            one_step,
        ),
        Mistake("nothing_done", "no step was done at all.", nothing),
    )


def _run_steps(case: Case, steps: int) -> Observation:
    schedule, w, losses = case.schedule, np.zeros(2), []
    for part, rate in list(zip(schedule.batches, schedule.rates, strict=True))[:steps]:
        losses.append(_loss_parts(w, [part], len(part)).sum())
        w = _step(w, part, rate, len(part))
    return observation(
        np.array(losses),
        np.repeat(w[None], case.replicas, 0),
        **_counts(),
        reads=0,
        steps=(steps,) * case.replicas,
    )


MY_TRAIN = Exercise(
    name="08/my_train",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=_known(),
    right="All replicas worked at the same time, from at most two traces; no value was "
    "read before the last step; losses and weights are those of one device.",
    locate="08/my_blocker",
)
