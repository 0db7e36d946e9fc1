"""Answers to 03/my_first_unequal, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import right, wrong


@right
def arrays(counts):
    """All steps at once, with infinity where there is no row."""
    with np.errstate(divide="ignore"):
        weights = 1 / (counts.shape[1] * counts)
    off = abs(weights - 1 / counts.sum(axis=1, keepdims=True))
    off[counts == 0] = 0
    steps = np.flatnonzero(off.max(axis=1) > 1e-9)
    if len(steps) == 0:
        return None
    step = steps[0]
    replica = off[step].argmax()
    return step, replica, weights[step, replica]


@right
def loop(counts):
    """Compare row by row with plain Python."""
    for step, each in enumerate(counts.tolist()):
        wanted, worst = 1 / sum(each), None
        for replica, rows in enumerate(each):
            if rows == 0:
                continue
            weight = 1 / (len(each) * rows)
            off = abs(weight - wanted)
            if off > 1e-9 and (worst is None or off > worst[0] + 1e-9):
                worst = (off, replica, weight)
        if worst:
            return step, worst[1], worst[2]
    return None


@right
def unequal_max(counts):
    """The largest error over the replicas that have rows."""
    for step, each in enumerate(counts):
        if len(set(each.tolist())) > 1:
            used = [r for r, rows in enumerate(each) if rows]
            weight = {r: 1 / (each[r] * len(each)) for r in used}
            worst = max(used, key=lambda r: abs(weight[r] - 1 / each.sum()))
            return step, worst, weight[worst]


@wrong("by_factor")
def largest_ratio(counts):
    """Compare weights by their ratio to the right one, whichever is larger."""
    for step, each in enumerate(counts):
        if len(set(each)) > 1:
            right, worst, found = 1 / each.sum(), 0, None
            for replica, rows in enumerate(each):
                if rows:
                    weight = 1 / (rows * len(each))
                    ratio = max(weight / right, right / weight)
                    if ratio > worst + 1e-9:
                        worst, found = ratio, (step, replica, weight)
            return found
    return None


@wrong("no_tolerance")
def exactly(counts):
    """Compare each weight with the right one, without a tolerance."""
    for step, each in enumerate(counts):
        right, errors = 1 / sum(each), {}
        for replica, rows in enumerate(each):
            if rows > 0 and 1 / len(each) / rows != right:
                errors[replica] = abs(1 / len(each) / rows - right)
        if errors:
            replica = max(errors, key=errors.get)
            return step, replica, 1 / len(each) / each[replica]


@wrong
def exactly_in_another_order(counts):
    """The same, but with another order of the divisions: another even step is taken."""
    for step, each in enumerate(counts):
        right, errors = 1 / sum(each), {}
        for replica, rows in enumerate(each):
            if rows > 0 and 1 / rows / len(each) != right:
                errors[replica] = abs(1 / rows / len(each) - right)
        if errors:
            replica = max(errors, key=errors.get)
            return step, replica, 1 / each[replica] / len(each)


@wrong
def two_values(counts):
    """Forget the weight."""
    for step, each in enumerate(counts):
        if each.min() < each.max():
            return step, int(each.argmin())
    return None


@wrong
def after_the_first(counts):
    """All steps but the first."""
    for step in range(1, len(counts)):
        each = counts[step]
        if each.min() < each.max():
            used = [r for r, rows in enumerate(each) if rows]
            weight = {r: 1 / (each[r] * len(each)) for r in used}
            worst = max(used, key=lambda r: abs(weight[r] - 1 / each.sum()))
            return step, worst, weight[worst]
    return None
