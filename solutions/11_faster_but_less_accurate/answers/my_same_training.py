"""Answers to 11/my_same_training, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import crashed, right, wrong


@right
def loop(run, alone):
    """The first training that is near enough."""
    for batch, weights in alone.items():
        if len(weights) >= len(run):
            gap = abs(run - weights[: len(run)]).max()
            if gap < 0.01:
                return batch, gap
    return None


@right
def smallest(run, alone):
    """The smallest gap of all, if it is small enough."""
    n = len(run)
    gaps = {b: np.abs(w[:n] - run).max() for b, w in alone.items() if len(w) >= n}
    batch = min(gaps, key=gaps.get)
    return (batch, gaps[batch]) if gaps[batch] < 0.01 else None


@right
def steps(run, alone):
    """Step by step, in plain Python."""
    for batch in sorted(alone):
        weights = alone[batch]
        if len(weights) < len(run):
            continue
        gap = 0.0
        for mine, theirs in zip(run, weights, strict=False):
            for a, b in zip(mine, theirs, strict=True):
                gap = max(gap, abs(float(a) - float(b)))
        if gap < 0.01:
            return [batch, gap]


@wrong
def batch_only(run, alone):
    """Only the batch is returned."""
    return 8


@wrong("nearest_at_every_step")
def never_none(run, alone):
    """Every step, but the nearest is always taken."""

    def gap(weights):
        n = min(len(run), len(weights))
        return abs(run[:n] - weights[:n]).max()

    batch = min(alone, key=lambda b: gap(alone[b]))
    return batch, gap(alone[batch])


@crashed
def shapes(run, alone):
    """Runs of other lengths are subtracted."""
    gaps = {b: abs(run - w).max() for b, w in alone.items()}
    return min(gaps.items(), key=lambda item: item[1])


@wrong("as_far_as_they_go")
def zipped(run, alone):
    """A training that ends before the run is compared as far as it goes."""
    for batch, weights in alone.items():
        gap = max(abs(a - b).max() for a, b in zip(run, weights, strict=False))
        if gap < 0.01:
            return batch, gap


@wrong("weight_0_only")
def weight_0(run, alone):
    """Weight 0 only."""
    for batch, weights in alone.items():
        if len(weights) >= len(run):
            gap = abs(run[:, 0] - weights[: len(run), 0]).max()
            if gap < 0.01:
                return batch, gap


@wrong("weight_1_only")
def weight_1(run, alone):
    """Weight 1 only."""
    for batch, weights in alone.items():
        if len(weights) >= len(run):
            gap = abs(run[:, 1] - weights[: len(run), 1]).max()
            if gap < 0.01:
                return batch, gap
