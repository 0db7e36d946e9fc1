"""Locate: the first step that one device would not make, and the rule behind it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from course.checks.findings import finding
from course.checks.places import Place
from course.lessons.n06_other_weights_with_an_option.training import LIMIT
from course.lessons.n06_other_weights_with_an_option.wrong_first_misplaced import (
    MISTAKES,
    clipped,
    first_misplaced,
)

STEPS = 8


@dataclass(frozen=True, eq=False)
class Steps:
    """What a training run on replicas did.

    shares: float64, shape (steps, replicas, 2): each replica's share of the gradient;
        not every share is finite. applied: float64, shape (steps, 2), rounded to
        float32, so that an exact comparison fails in the first step.
    """

    shares: np.ndarray
    applied: np.ndarray

    def __str__(self) -> str:
        steps, replicas, _ = self.shares.shape
        return f"a run of {steps} steps on {replicas} replicas"


def applied(shares: np.ndarray, check_first: bool, clip_first: bool) -> np.ndarray:
    """Return what is applied in a step, given the shares and the place of each rule.

    check_first: a share that is not finite is replaced by zeros, before the sum.
    clip_first: shares that are too long are shortened, before the sum.
    """
    with np.errstate(invalid="ignore"):
        parts = shares
        if check_first:
            finite = np.isfinite(parts).all(axis=1, keepdims=True)
            parts = np.where(finite, parts, 0.0)
        parts = clipped(parts) if clip_first else parts
        total = parts.sum(axis=0)
        total = total if clip_first else clipped(total)
    return total if np.isfinite(total).all() else np.zeros(2)


def recorded_run() -> tuple[np.ndarray, np.ndarray]:
    """Return shares and applied of a run on two replicas, to try a function on.

    Its job checks the sum, but clips the shares.
    """
    run = _run(np.random.default_rng(6), 2, False, True, "short infinite cancel long")
    return run.shares, run.applied


def draw(rng: np.random.Generator) -> list[Steps]:
    """Draw runs with each rule before or after the sum; in two, no step shows it."""
    return [
        _run(rng, replicas, check_first, clip_first, kinds)
        for replicas, check_first, clip_first, kinds in (
            (2, False, True, "short turned infinite long"),
            (3, True, False, "straight long cancel short infinite nan"),
            (2, True, True, "short short nan turned"),
            (4, True, True, "cancel long infinite"),
            (2, False, True, "short infinite turned long"),
            (3, False, False, "long infinite cancel nan long turned"),
            (2, True, True, "short short short"),
        )
    ]


def _run(rng, replicas: int, check_first: bool, clip_first: bool, kinds: str) -> Steps:
    shares = []
    for kind in kinds.split():
        for _ in range(int(rng.integers(1, 3))):
            shares.append(_step(rng, replicas, kind))
    every = np.array(shares)
    done = [applied(own, check_first, clip_first) for own in every]
    return Steps(every, np.array(done, np.float32).astype(float))


def _step(rng: np.random.Generator, replicas: int, kind: str) -> np.ndarray:
    """Draw the shares of one step.

    short: no share, and no sum, is longer than the limit. long: the sum is, and no
    share. straight: the same along an axis. cancel: two shares are too long, and
    nearly opposite. turned: two shares are too long; clipped, they have a sum as long
    as the right one, in another direction. infinite, nan: one share has one such part.
    """
    angle, small = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 0.4, (replicas, 1))
    way = np.array([np.cos(angle), np.sin(angle)])
    side = np.array([-way[1], way[0]])
    shares = small * LIMIT / replicas * (way + 0.3 * rng.normal(size=(replicas, 2)))
    if kind == "long":
        return 0.9 * LIMIT * (way + 0.1 * side * rng.uniform(-1, 1, (replicas, 1)))
    if kind == "straight":
        return np.full((replicas, 1), 0.8 * LIMIT) * np.eye(2)[int(rng.integers(2))]
    if kind == "cancel":
        shares[0] += 1.6 * LIMIT * way
        shares[-1] -= 1.5 * LIMIT * way - 0.3 * side
    if kind == "turned":
        shares[:] = 0.0
        # both clipped: the sum is LIMIT long where they are 120 degrees apart
        third = 2 * np.pi / 3
        other = np.cos(third) * way + np.sin(third) * side
        shares[0], shares[-1] = rng.uniform(2, 3) * LIMIT * way, LIMIT * other
    if kind in ("infinite", "nan"):
        replica, part = int(rng.integers(replicas)), int(rng.integers(2))
        shares[replica, part] = np.inf if kind == "infinite" else np.nan
    return shares


FIRST_MISPLACED = finding(
    "06/my_first_misplaced",
    Place(("step", "rule")),
    draw,
    given=lambda run: (run.shares.copy(), run.applied.copy()),
    find=first_misplaced,
    nothing="in every step, the replicas applied what one device would apply.",
    wanted="the first step in which the replicas applied something else than one "
    "device would, and the rule that was used on the shares: 0 the check, 1 the clip.",
    mistakes=MISTAKES,
    usual={
        "one_late": "the step is one too large: shares[0] is step 0.",
        "swapped": "rule and step are swapped: the step comes first.",
        "zero_for_none": "it returns (0, 0) where nothing is wrong. Return None there.",
        "nothing_found": "it finds nothing.",
    },
    right="Right on seven runs, two of them without a fault that shows.",
)
