"""Wrong answers to 06/my_first_misplaced: names are codes, docstrings causes."""

from __future__ import annotations

import numpy as np

from course.checks.exercises import wrong_answers
from course.lessons.n06_other_weights_with_an_option.training import LIMIT

CHECK, CLIP = 0, 1


def clipped(gradient: np.ndarray) -> np.ndarray:
    """Return the gradients, shape (..., 2), none of them longer than LIMIT."""
    length = np.linalg.norm(gradient, axis=-1, keepdims=True)
    return gradient * np.minimum(1, LIMIT / np.maximum(length, LIMIT))


def alone(shares: np.ndarray) -> np.ndarray:
    """Return what one device applies, given the shares of one step."""
    total = shares.sum(axis=0)
    return clipped(total) if np.isfinite(total).all() else np.zeros(2)


def differs(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether two gradients differ by more than float32 sums may."""
    return bool(np.abs(one - other).max() > 1e-5)


def first_misplaced(shares: np.ndarray, applied: np.ndarray):
    """Return the first step that one device would not make, and the rule's number."""
    for step, own in enumerate(shares):
        if differs(applied[step], alone(own)):
            return step, CLIP if np.isfinite(own).all() else CHECK
    return None


def too_long(shares, applied):
    """It looks for a step longer than the limit. Clipped shares may also add up to a
    step that is short enough, and points elsewhere; and nothing is said of the check.
    """
    for step, each in enumerate(applied):
        if np.linalg.norm(each) > LIMIT + 1e-5:
            return step, CLIP
    return None


def not_finite_first(shares, applied):
    """It returns the first step in which a share is not finite, whatever was applied.
    If nothing was applied then, the check is in its place.
    """
    for step, own in enumerate(shares):
        if not np.isfinite(own).all():
            return step, CHECK
    return None


def compared_with_plain_sum(shares, applied):
    """It compares with the sum of the shares as it is. One device clips it, too: a sum
    that is longer than the limit is applied shortened.
    """
    for step, own in enumerate(shares):
        total = own.sum(axis=0)
        right = total if np.isfinite(total).all() else np.zeros(2)
        if differs(applied[step], right):
            return step, CLIP if np.isfinite(own).all() else CHECK
    return None


def compared_with_mean(shares, applied):
    """It compares with the mean of the shares. They are shares: their SUM is the
    gradient of one device.
    """
    for step, own in enumerate(shares):
        if differs(applied[step], alone(own / len(own))):
            return step, CLIP if np.isfinite(own).all() else CHECK
    return None


def finite_steps_only(shares, applied):
    """It passes over the steps in which a share is not finite. One device applies
    nothing then; what was applied has to be zero.
    """
    for step, own in enumerate(shares):
        if np.isfinite(own).all() and differs(applied[step], alone(own)):
            return step, CLIP
    return None


def only_not_finite_steps(shares, applied):
    """It looks only at the steps in which a share is not finite. Whether the clip is
    in its place shows in the others.
    """
    for step, own in enumerate(shares):
        if not np.isfinite(own).all() and differs(applied[step], alone(own)):
            return step, CHECK
    return None


def a_share_was_clipped(shares, applied):
    """It returns the first step in which a share is longer than the limit. Asked is
    what was applied: that may be right all the same.
    """
    for step, own in enumerate(shares):
        lengths = np.linalg.norm(own, axis=1)
        if np.isfinite(own).all() and lengths.max() > LIMIT:
            return step, CLIP
        if differs(applied[step], alone(own)) and not np.isfinite(own).all():
            return step, CHECK
    return None


def always_the_clip(shares, applied):
    """The step is right. But it blames the clip also where shares are not finite:
    there, the check of the sum would have left out the step.
    """
    found = first_misplaced(shares, applied)
    return found and (found[0], CLIP)


def always_the_check(shares, applied):
    """The step is right. But it blames the check also where all shares are finite:
    there it has nothing to do.
    """
    found = first_misplaced(shares, applied)
    return found and (found[0], CHECK)


def rules_swapped(shares, applied):
    """The step is right, and the rules are swapped: 0 is the check, 1 the clip."""
    found = first_misplaced(shares, applied)
    return found and (found[0], 1 - found[1])


def largest_not_first(shares, applied):
    """It returns the step with the largest difference. Asked is the first."""
    off = [np.abs(a - alone(own)).max() for own, a in zip(shares, applied, strict=True)]
    step = int(np.argmax(off))
    if off[step] < 1e-5:
        return None
    return step, CLIP if np.isfinite(shares[step]).all() else CHECK


def last_not_first(shares, applied):
    """It returns the last such step. Asked is the first."""
    found = None
    for step, own in enumerate(shares):
        if differs(applied[step], alone(own)):
            found = step, CLIP if np.isfinite(own).all() else CHECK
    return found


def lengths_only(shares, applied):
    """It compares lengths. A gradient clipped before the sum may be as long as the
    right one, and point elsewhere.
    """
    for step, own in enumerate(shares):
        right = np.linalg.norm(alone(own))
        if abs(np.linalg.norm(applied[step]) - right) > 1e-5:
            return step, CLIP if np.isfinite(own).all() else CHECK
    return None


def clipped_by_value(shares, applied):
    """It takes clipping to act on each component. Here the whole gradient is
    shortened, and keeps its direction.
    """
    for step, own in enumerate(shares):
        total = own.sum(axis=0)
        right = np.clip(total, -LIMIT, LIMIT)
        right = right if np.isfinite(total).all() else np.zeros(2)
        if differs(applied[step], right):
            return step, CLIP if np.isfinite(own).all() else CHECK
    return None


MISTAKES = wrong_answers(__name__, clipped, alone, differs, first_misplaced)
