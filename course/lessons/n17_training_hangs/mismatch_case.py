"""Gradients of several workers, by kind: what a search for misfits finds in them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.exercises import Difference, Observation
from course.checks.failures import WrongReturn
from course.runs.joint_sums import (
    JointRun,
    run_jointly,
    simulate_jointly,
)

WORKERS = 3
NOBODY = -1.0  # stands for None
NOT_REACHED = -2.0

Kind = tuple[str, tuple[int, ...]]  # dtype and shape


@dataclass(frozen=True)
class Kinds:
    """The kinds of the gradients that every worker has.

    own: by set of gradients, then by worker.
    """

    own: tuple[tuple[tuple[Kind, ...], ...], ...]

    def __str__(self) -> str:
        return f"{len(self.own)} models on {len(self.own[0])} real workers"


def draw(rng: np.random.Generator) -> list[Kinds]:
    """Draw models that fit, or differ in a dtype, a shape, or in how many they are."""
    models = [[_model(rng)] * WORKERS for _ in range(10)]
    fits, cast, turned, flat, wider, both, longer, deep, halves, column = models
    for k in (2, 4):
        cast = _changed(cast, 2, k, "float64")
    turned = _changed(turned, 2, 4, "float32", (4, 3))
    flat = _changed(flat, 1, 1, "float32", (12,))
    wider = _changed(wider, 1, 5, "float32", (11,))
    both = _changed(both, 1, 3, "bfloat16")
    both[2] = [*both[2], ("float32", (2,))]
    longer[0] = [*longer[0], ("float32", (2,))]
    deep = [_with(model, 0, "float32", (5, 4, 3, 2)) for model in deep]
    deep = _changed(deep, 2, 0, "float32", (5, 4, 2, 3))
    halves = [_with(model, 5, "float16") for model in halves]
    halves = _changed(halves, 1, 5, "bfloat16")
    column = _changed(column, 2, 3, "float32", (*column[2][3][1], 1))
    models = [fits, cast, turned, flat, wider, both, longer, deep, halves, column]
    order = rng.permutation(len(models))
    return [Kinds(tuple(tuple(map(tuple, models[i])) for i in order))]


def _model(rng: np.random.Generator) -> list[Kind]:
    """Six gradients, two of which have 12 elements in two axes."""
    small = [(int(size),) for size in rng.integers(2, 9, 6)]
    return [("float32", (3, 4) if k % 3 == 1 else small[k]) for k in range(6)]


def _changed(
    own: list[list[Kind]],
    worker: int,
    at: int,
    dtype: str,
    shape: tuple[int, ...] | None = None,
) -> list[list[Kind]]:
    """Return the models with another kind at one place of one worker."""
    changed = _with(own[worker], at, dtype, shape)
    return [changed if number == worker else each for number, each in enumerate(own)]


def _with(
    model: list[Kind], at: int, dtype: str, shape: tuple[int, ...] | None = None
) -> list[Kind]:
    return [*model[:at], (dtype, shape or model[at][1]), *model[at + 1 :]]


def _truth(own: tuple[tuple[Kind, ...], ...]) -> float:
    for k in range(max(map(len, own))):
        if len({each[k] if k < len(each) else None for each in own}) > 1:
            return float(k)
    return NOBODY


def observe(function: Callable, case: Kinds) -> Observation:
    """Call a learner's function in real workers, set by set."""
    own = [list(enumerate(kinds)) for kinds in case.own]
    return _seen(run_jointly(_with_tensors(function), own, "gather"))


def simulate(function: Callable, case: Kinds) -> Observation:
    """Call a function in simulated workers, set by set."""
    return _seen(simulate_jointly(function, _all_tensors(case), "gather"))


def _seen(run: JointRun) -> Observation:
    if not run.values:
        return Observation(np.zeros(0), {"entered": run.entered})
    return _observation([[_verified(each) for each in call] for call in run.values])


def _with_tensors(function: Callable) -> Callable:
    """Return the function as a worker calls it: with tensors of its own."""

    @functools.wraps(function)
    def call(own: tuple[int, tuple[Kind, ...]], gather: Callable) -> object:
        return function(_tensors(*own), gather)

    return call


def _tensors(worker: int, kinds: tuple[Kind, ...]) -> list[tf.Tensor]:
    """Return tensors of these kinds, whose values are others on every worker."""
    return [
        tf.cast(tf.random.stateless_normal(shape, (worker, k)), dtype)
        for k, (dtype, shape) in enumerate(kinds)
    ]


@functools.lru_cache(maxsize=1)  # all mistakes are simulated on the same ones
def _all_tensors(case: Kinds) -> list[list[list[tf.Tensor]]]:
    return [list(map(_tensors, range(len(own)), own)) for own in case.own]


def _verified(answer: object) -> float:
    if answer is None:
        return NOBODY
    try:
        number = float(answer)
    except (TypeError, ValueError):
        number = NOT_REACHED
    if isinstance(answer, bool) or number < 0 or number != number // 1:
        raise WrongReturn.of(answer, "the number of a gradient, from 0 on, or None")
    return number


def _observation(calls: list[list[float]]) -> Observation:
    return Observation(np.array(calls, dtype=float).ravel())


def expect(case: Kinds) -> Observation:
    """On every worker the same: the first gradient that differs, or nobody."""
    return _observation([[_truth(own)] * len(own) for own in case.own])


def compare(case: Kinds, got: Observation, truth: Observation) -> Difference:
    """Say for which model and worker the answer is wrong first."""
    expected = (
        "Expected: on every worker the index of the first gradient whose dtype or "
        "shape is not the same on all of them, or that some worker does not have; None "
        "if all fit."
    )
    if got.values.shape != truth.values.shape:
        return Difference(
            "The workers never finished: not all passed equally many numbers, or not "
            "all called gather.",
            expected,
        )
    shape = len(case.own), len(case.own[0])
    model, worker = map(
        int, np.argwhere((got.values != truth.values).reshape(shape))[0]
    )
    came, due = got.values.reshape(shape), truth.values.reshape(shape)
    return Difference(
        f"For model {model}, worker {worker} returned {_said(came[model, worker])}; "
        f"right is {_said(due[model, worker])}.",
        expected,
        place={"worker": worker},
    )


def _said(number: float) -> str:
    return "None" if number == NOBODY else f"{number:g}"
