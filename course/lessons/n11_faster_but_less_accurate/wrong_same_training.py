"""Wrong answers to 11/my_same_training: names are codes, docstrings causes."""

from __future__ import annotations

import numpy as np

from course.checks.exercises import wrong_answers


def _fits(run, alone):
    for batch, weights in alone.items():
        if len(weights) >= len(run):
            gap = abs(run - weights[: len(run)]).max()
            if gap < 0.01:
                return batch, gap


def nearest_at_the_end(run, alone):
    """It takes the training whose last weights are nearest, however far they are.
    Many different runs end at nearly the same place, so compare every step.
    """
    batch = min(alone, key=lambda b: abs(run[-1] - alone[b][-1]).max())
    return batch, abs(run[-1] - alone[batch][-1]).max()


def close_at_the_end(run, alone):
    """It compares the last weights only. A run may differ in between and come back, and
    a run that was stopped early ends somewhere else.
    """
    gaps = {b: abs(run[-1] - w[-1]).max() for b, w in alone.items()}
    batch = min(gaps, key=gaps.get)
    return (batch, gaps[batch]) if gaps[batch] < 0.01 else None


def nearest_at_every_step(run, alone):
    """It compares every step, but returns the nearest training even where the
    difference is large. Where it is not below 0.01, return None.
    """
    n = len(run)
    gaps = {b: abs(run - w[:n]).max() for b, w in alone.items() if len(w) >= n}
    batch = min(gaps, key=gaps.get)
    return batch, gaps[batch]


def nearest_where_it_stopped(run, alone):
    """It compares one step only, the last one of the run, and takes the nearest
    training however far it is. Compare every step, with 0.01.
    """
    n = len(run)
    gaps = {b: abs(run[-1] - w[n - 1]).max() for b, w in alone.items() if len(w) >= n}
    batch = min(gaps, key=gaps.get)
    return batch, gaps[batch]


def close_where_it_stopped(run, alone):
    """It compares one step only, the last one of the run. A run may differ before that
    and come back.
    """
    n = len(run)
    gaps = {b: abs(run[-1] - w[n - 1]).max() for b, w in alone.items() if len(w) >= n}
    batch = min(gaps, key=gaps.get)
    return (batch, gaps[batch]) if gaps[batch] < 0.01 else None


def first_step_only(run, alone):
    """It compares the first step only. A run may differ later."""
    gaps = {b: abs(run[1] - w[1]).max() for b, w in alone.items()}
    batch = min(gaps, key=gaps.get)
    return (batch, gaps[batch]) if gaps[batch] < 0.01 else None


def without_the_last_step(run, alone):
    """It leaves out the last step of the run."""
    n = len(run) - 1
    for batch, weights in alone.items():
        if len(weights) >= n:
            gap = abs(run[:n] - weights[:n]).max()
            if gap < 0.01:
                return batch, gap


def same_length_only(run, alone):
    """It leaves out trainings that are longer than the run. A run that was stopped
    early has fewer steps: compare the steps that it has.
    """
    for batch, weights in alone.items():
        if len(weights) == len(run):
            gap = abs(run - weights).max()
            if gap < 0.01:
                return batch, gap


def as_far_as_they_go(run, alone):
    """It compares a training that is shorter than the run as far as it goes. It
    ignores the rest of the run. Leave out trainings that are shorter.
    """
    for batch, weights in alone.items():
        gap = max(abs(a - b).max() for a, b in zip(run, weights, strict=False))
        if gap < 0.01:
            return batch, gap


def weight_0_only(run, alone):
    """It looks at weight 0 only. There are two, and the other one may be off."""
    return _fits(run[:, :1], {b: w[:, :1] for b, w in alone.items()})


def weight_1_only(run, alone):
    """It looks at weight 1 only. There are two, and the other one may be off."""
    return _fits(run[:, 1:], {b: w[:, 1:] for b, w in alone.items()})


def gap_at_the_end(run, alone):
    """The batch is right. The gap is that of the last step. Return the largest of all
    steps.
    """
    for batch, weights in alone.items():
        if len(weights) >= len(run):
            off = run - weights[: len(run)]
            if abs(off).max() < 0.01:
                return batch, abs(off[-1]).max()


def mean_gap(run, alone):
    """The batch is right. The gap is a mean. Return the largest difference."""
    for batch, weights in alone.items():
        if len(weights) >= len(run):
            off = run - weights[: len(run)]
            if abs(off).max() < 0.01:
                return batch, abs(off).mean()


def signed_gap(run, alone):
    """The batch is right. The gap is the largest difference with its sign; a weight
    may also be too small. Take absolute values first.
    """
    for batch, weights in alone.items():
        if len(weights) >= len(run):
            off = run - weights[: len(run)]
            if abs(off).max() < 0.01:
                return batch, off.max()


def signed_gap_other_way(run, alone):
    """The batch is right. The gap is the largest difference with its sign; a weight
    may also be too large. Take absolute values first.
    """
    for batch, weights in alone.items():
        if len(weights) >= len(run):
            off = run - weights[: len(run)]
            if abs(off).max() < 0.01:
                return batch, (-off).max()


def euclidean_gap(run, alone):
    """The batch is right. The gap is a distance in the plane of both weights. Return
    the largest difference of one weight.
    """
    for batch, weights in alone.items():
        if len(weights) >= len(run):
            off = run - weights[: len(run)]
            if abs(off).max() < 0.01:
                return batch, np.linalg.norm(off, axis=1).max()


MISTAKES = wrong_answers(__name__)
