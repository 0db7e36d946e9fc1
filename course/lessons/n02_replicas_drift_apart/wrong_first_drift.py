"""Wrong answers to 02/my_first_drift: names are codes, docstrings causes."""

from __future__ import annotations

import numpy as np

from course.checks.exercises import wrong_answers


def shown_copy_only(copies, sequential):
    """It looks at copy 0 only, the one that w.numpy() shows. A drift on another
    replica is invisible to it.
    """
    gaps = np.abs(copies - sequential[:, None]).max(axis=2)
    steps = np.flatnonzero(gaps[:, 0] > 1e-5)
    return (steps[0], 0) if len(steps) else None


def noise_is_drift(copies, sequential):
    """It takes float noise for drift. Small differences come from the order of
    additions; allow 1e-5.
    """
    gaps = np.abs(copies - sequential[:, None]).max(axis=2)
    steps = np.flatnonzero(gaps.max(axis=1) > 0)
    return (steps[0], gaps[steps[0]].argmax()) if len(steps) else None


def first_not_furthest(copies, sequential):
    """It returns the first replica beyond the limit. Asked is the replica that is
    furthest from the sequential run at that step.
    """
    gaps = np.abs(copies - sequential[:, None]).max(axis=2)
    found = np.argwhere(gaps > 1e-5)
    return tuple(found[0]) if len(found) else None


def one_step_early(copies, sequential):
    """The step is one too small. copies[0] is the start, before any step, so
    copies[k] stands after k steps.
    """
    gaps = np.abs(copies - sequential[:, None]).max(axis=2)
    steps = np.flatnonzero(gaps.max(axis=1) > 1e-5)
    return (steps[0] - 1, gaps[steps[0]].argmax()) if len(steps) else None


def against_the_mean(copies, sequential):
    """It compares the copies with their own mean. When all drift alike, they agree
    with each other and are wrong: compare with the sequential run.
    """
    for step in range(len(copies)):
        gaps = np.abs(copies[step] - copies[step].mean(axis=0)).max(axis=1)
        if gaps.max() > 1e-5:
            return step, int(gaps.argmax())
    return None


def spread_between_copies(copies, sequential):
    """It looks for the first step in which the copies differ from each other. When all
    drift alike, they agree and are wrong: compare with the sequential run.
    """
    for step in range(len(copies)):
        if np.ptp(copies[step], axis=0).max() > 1e-5:
            gaps = np.abs(copies[step] - sequential[step]).max(axis=1)
            return step, int(gaps.argmax())
    return None


def worst_not_first(copies, sequential):
    """It returns where the gap is largest in the whole run. Asked is the first step
    where a gap appears.
    """
    gaps = np.abs(copies - sequential[:, None]).max(axis=2)
    worst = np.unravel_index(gaps.argmax(), gaps.shape)
    return worst if gaps.max() > 1e-5 else None


def signed_difference(copies, sequential):
    """It takes the largest difference without its absolute value, so a weight that
    is too small goes unseen.
    """
    for step in range(len(copies)):
        gaps = (copies[step] - sequential[step]).max(axis=1)
        if gaps.max() > 1e-5:
            return step, int(gaps.argmax())
    return None


def too_much_allowed(copies, truth):
    """It allows more than 1e-5: by a larger limit, or by a share of the weight
    besides, as np.allclose and np.isclose do (set rtol=0).
    """
    for step in range(len(copies)):
        off = np.abs(copies[step] - truth[step]).max(axis=1)
        near = [np.allclose(own, truth[step], atol=1e-5) for own in copies[step]]
        if not all(near):
            return step, int(off.argmax())
    return None


def euclidean(copies, truth):
    """It measures the distance of a copy over both weights together, by the root of
    the squares. Asked is the largest difference in one weight.
    """
    off = np.linalg.norm(copies - truth[:, None], axis=2)
    steps = np.flatnonzero(off.max(axis=1) > 1e-5)
    return (steps[0], off[steps[0]].argmax()) if len(steps) else None


def summed_over_weights(copies, truth):
    """It adds the differences of a copy's two weights up. Asked is the largest
    difference in one weight.
    """
    off = np.abs(copies - truth[:, None]).sum(axis=2)
    steps = np.flatnonzero(off.max(axis=1) > 1e-5)
    return (steps[0], off[steps[0]].argmax()) if len(steps) else None


def averaged_over_weights(copies, truth):
    """It averages the differences of a copy's two weights. Asked is the largest
    difference in one weight.
    """
    off = np.abs(copies - truth[:, None]).mean(axis=2)
    steps = np.flatnonzero(off.max(axis=1) > 1e-5)
    return (steps[0], off[steps[0]].argmax()) if len(steps) else None


def weight_0_only(copies, truth):
    """It compares one of the two weights only. The other one drifts, too."""
    off = np.abs(copies - truth[:, None])[:, :, 0]
    steps = np.flatnonzero(off.max(axis=1) > 1e-5)
    return (steps[0], off[steps[0]].argmax()) if len(steps) else None


def weight_1_only(copies, truth):
    """It compares the last of the two weights only. The other one drifts, too."""
    off = np.abs(copies - truth[:, None])[:, :, 1]
    steps = np.flatnonzero(off.max(axis=1) > 1e-5)
    return (steps[0], off[steps[0]].argmax()) if len(steps) else None


def replicas_first(copies, truth):
    """It goes through the replicas first, and then through the steps. Asked is the
    first step of all.
    """
    for replica in range(copies.shape[1]):
        for step in range(len(copies)):
            if np.abs(copies[step, replica] - truth[step]).max() > 1e-5:
                return step, replica
    return None


def all_must_drift(copies, truth):
    """It waits until all copies are away. One is enough."""
    for step in range(len(copies)):
        off = np.abs(copies[step] - truth[step]).max(axis=1)
        if (off > 1e-5).all():
            return step, int(off.argmax())
    return None


def furthest_at_the_end(copies, truth):
    """The step is right; the replica is the furthest at the end of the run, not at
    that step.
    """
    off = np.abs(copies - truth[:, None]).max(axis=2)
    for step in range(len(copies)):
        if off[step].max() > 1e-5:
            return step, int(off[-1].argmax())
    return None


def nothing_found(copies, sequential):
    """It finds no drift in any recording."""
    for step in range(len(copies)):
        gaps = np.abs(copies[step] - sequential[step]).max(axis=1)
        if gaps.max() > 1e5:
            return step, int(gaps.argmax())
    return None


def last_not_first(copies, sequential):
    """It looks at the end of the run. Asked is the first step where a gap appears."""
    gaps = np.abs(copies[-1] - sequential[-1]).max(axis=1)
    return (len(copies) - 1, gaps.argmax()) if gaps.max() > 1e-5 else None


def against_copy_0(copies, sequential):
    """It compares the copies with copy 0. When copy 0 is the one that drifts, the
    others look guilty: compare with the sequential run.
    """
    gaps = np.abs(copies - copies[:, :1]).max(axis=2)
    steps = np.flatnonzero(gaps.max(axis=1) > 1e-5)
    return (steps[0], gaps[steps[0]].argmax()) if len(steps) else None


MISTAKES = wrong_answers(__name__)
