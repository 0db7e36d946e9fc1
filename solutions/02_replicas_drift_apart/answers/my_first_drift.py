"""Answers to 02/my_first_drift, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import crashed, right, wrong


@right
def array(copies, sequential):
    """The same with one array of gaps."""
    gaps = np.linalg.norm(copies - sequential[:, None], axis=2, ord=np.inf)
    steps = np.flatnonzero(gaps.max(axis=1) > 1e-5)
    return (steps[0], gaps[steps[0]].argmax()) if steps.size else None


@right
def loop(copies, sequential):
    """Go through the steps; the first beyond 1e-5 decides."""
    for step in range(len(copies)):
        gaps = [abs(copy - sequential[step]).max() for copy in copies[step]]
        if max(gaps) > 1e-5:
            return step, gaps.index(max(gaps))
    return None


@wrong("euclidean")
def norm(copies, sequential):
    """Measure the distance by the Euclidean norm instead."""
    gaps = np.linalg.norm(copies - sequential[:, None], axis=2)
    steps = np.flatnonzero(gaps.max(axis=1) > 1e-5)
    return (steps[0], gaps[steps[0]].argmax()) if len(steps) else None


@wrong
def flat_argmax(copies, sequential):
    """argmax over weights and replicas together: a replica that does not exist."""
    for step in range(len(copies)):
        gaps = np.abs(copies[step] - sequential[step])
        if gaps.max() > 1e-5:
            return step, int(gaps.argmax())
    return None


@crashed
def four_replicas(copies, truth):
    """As if there were always four replicas."""
    for step in range(len(copies)):
        off = [np.abs(copies[step, r] - truth[step]).max() for r in range(4)]
        if max(off) > 1e-5:
            return step, int(np.argmax(off))
    return None


@wrong("too_much_allowed")
def larger_limit(copies, truth):
    """A limit of 1e-4."""
    for step in range(len(copies)):
        off = np.abs(copies[step] - truth[step]).max(axis=1)
        if off.max() > 1e-4:
            return step, int(off.argmax())
    return None


@wrong
def no_place(copies, sequential):
    """Return a sentence instead of a place."""
    return "step 1 on replica 2"


@wrong("noise_is_drift")
def smaller_limit(copies, truth):
    """A limit of 1e-6."""
    for step in range(len(copies)):
        off = np.abs(copies[step] - truth[step]).max(axis=1)
        if off.max() > 1e-6:
            return step, int(off.argmax())
    return None


@wrong("weight_1_only")
def last_weight(copies, truth):
    """The last weight only."""
    off = np.abs(copies - truth[:, None])[..., -1]
    steps = np.flatnonzero(off.max(axis=1) > 1e-5)
    return (steps[0], off[steps[0]].argmax()) if len(steps) else None


@wrong("summed_over_weights")
def manhattan(copies, truth):
    """The norm of another order."""
    off = np.linalg.norm(copies - truth[:, None], ord=1, axis=2)
    for step, gaps in enumerate(off):
        if gaps.max() > 1e-5:
            return step, int(gaps.argmax())
    return None


@wrong
def last_step_left_out(copies, truth):
    """As many steps as copies, less the start: the last step is never looked at."""
    for step in range(len(copies) - 1):
        gaps = np.abs(copies[step] - truth[step]).max(axis=1)
        if gaps.max() > 1e-5:
            return step, int(gaps.argmax())
    return None
