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
    """It looks for a step longer than the limit. Clipped shares may add up to a step
    that is short enough but points elsewhere. And it never asks about the check.
    """
    for step, each in enumerate(applied):
        if np.linalg.norm(each) > LIMIT + 1e-5:
            return step, CLIP
    return None


def not_finite_first(shares, applied):
    """It returns the first step in which a share is not finite, whatever was applied.
    If zeros were applied then, the check was done on the sum, as it should be.
    """
    for step, own in enumerate(shares):
        if not np.isfinite(own).all():
            return step, CHECK
    return None


def zeros_blamed(shares, applied):
    """It blames every step in which a share is not finite, even where zeros were
    applied. One device applies zeros there, too.
    """
    for step, own in enumerate(shares):
        if not np.isfinite(own).all():
            return step, CHECK
        if differs(applied[step], alone(own)):
            return step, CLIP
    return None


def lengths_of_shares_only(shares, applied):
    """It looks for a share longer than the limit, and never at what was applied. One
    device may apply the same gradient all the same.
    """
    for step, own in enumerate(shares):
        if (np.linalg.norm(own, axis=1) > LIMIT).any():
            return step, CLIP
    return None


def compared_with_plain_sum(shares, applied):
    """It compares with the sum of the shares as it is. But one device clips the sum
    where it is longer than the limit.
    """
    for step, own in enumerate(shares):
        total = own.sum(axis=0)
        right = total if np.isfinite(total).all() else np.zeros(2)
        if differs(applied[step], right):
            return step, CLIP if np.isfinite(own).all() else CHECK
    return None


def compared_with_mean(shares, applied):
    """It compares with the mean of the shares. Their SUM is the gradient of one
    device.
    """
    for step, own in enumerate(shares):
        if differs(applied[step], alone(own / len(own))):
            return step, CLIP if np.isfinite(own).all() else CHECK
    return None


def finite_steps_only(shares, applied):
    """It skips the steps in which a share is not finite. One device applies zeros
    there, so anything else is wrong.
    """
    for step, own in enumerate(shares):
        if np.isfinite(own).all() and differs(applied[step], alone(own)):
            return step, CLIP
    return None


def only_not_finite_steps(shares, applied):
    """It looks only at the steps in which a share is not finite. The other steps show
    whether the shares were clipped.
    """
    for step, own in enumerate(shares):
        if not np.isfinite(own).all() and differs(applied[step], alone(own)):
            return step, CHECK
    return None


def a_share_was_clipped(shares, applied):
    """It returns the first step in which a share is longer than the limit. What was
    applied may be right all the same.
    """
    for step, own in enumerate(shares):
        lengths = np.linalg.norm(own, axis=1)
        if np.isfinite(own).all() and lengths.max() > LIMIT:
            return step, CLIP
        if differs(applied[step], alone(own)) and not np.isfinite(own).all():
            return step, CHECK
    return None


def always_the_clip(shares, applied):
    """The step is right. But it blames the clip even where a share is not finite.
    There, a check of the sum would have applied zeros.
    """
    found = first_misplaced(shares, applied)
    return found and (found[0], CLIP)


def always_the_check(shares, applied):
    """The step is right. But it blames the check even where all shares are finite.
    There the check changes nothing.
    """
    found = first_misplaced(shares, applied)
    return found and (found[0], CHECK)


def rules_swapped(shares, applied):
    """The step is right, but the rules are swapped: 0 is the check, 1 the clip."""
    found = first_misplaced(shares, applied)
    return found and (found[0], 1 - found[1])


def largest_not_first(shares, applied):
    """It returns the step with the largest difference. Return the first one."""
    off = [np.abs(a - alone(own)).max() for own, a in zip(shares, applied, strict=True)]
    step = int(np.argmax(off))
    if off[step] < 1e-5:
        return None
    return step, CLIP if np.isfinite(shares[step]).all() else CHECK


def compared_exactly(shares, applied):
    """It compares exactly, so rounding counts as a difference. Numbers within 1e-5 of
    each other are equal here.
    """
    for step, own in enumerate(shares):
        if (applied[step] != alone(own)).any():
            return step, CLIP if np.isfinite(own).all() else CHECK
    return None


def last_not_first(shares, applied):
    """It returns the last such step. Return the first one."""
    found = None
    for step, own in enumerate(shares):
        if differs(applied[step], alone(own)):
            found = step, CLIP if np.isfinite(own).all() else CHECK
    return found


def lengths_only(shares, applied):
    """It compares lengths. A sum of clipped shares may be as long as the right
    gradient but point elsewhere.
    """
    for step, own in enumerate(shares):
        right = np.linalg.norm(alone(own))
        if abs(np.linalg.norm(applied[step]) - right) > 1e-5:
            return step, CLIP if np.isfinite(own).all() else CHECK
    return None


def clipped_by_value(shares, applied):
    """It clips each component on its own. Here the whole gradient is shortened, and
    keeps its direction.
    """
    for step, own in enumerate(shares):
        total = own.sum(axis=0)
        right = np.clip(total, -LIMIT, LIMIT)
        right = right if np.isfinite(total).all() else np.zeros(2)
        if differs(applied[step], right):
            return step, CLIP if np.isfinite(own).all() else CHECK
    return None


MISTAKES = wrong_answers(__name__, clipped, alone, differs, first_misplaced)
