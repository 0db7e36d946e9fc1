"""Answers to 17/my_fall_back, right and wrong, and what the check says of each."""

from itertools import pairwise

import numpy as np

from autograder.answers import crashed, right, wrong


@right
def fall_highest(log):
    """It remembers the highest step, and counts until a new one."""
    highest, found, again = -1, None, 0
    for _, step in log:
        if found is None and step <= highest:
            found = step
        if found is not None and step > highest:
            break
        again += found is not None
        highest = max(highest, step)
    return None if found is None else (found, highest - found + 1)


@right
def index(log):
    """By the place in the log."""
    for i in range(1, len(log)):
        if log[i][1] != log[i - 1][1] + 1:
            return log[i][1], log[i - 1][1] - log[i][1] + 1


@right
def numpy(log):
    """With NumPy."""
    steps = np.array([step for _, step in log])
    falls = np.flatnonzero(np.diff(steps) <= 0)
    if len(falls) == 0:
        return None
    last, step = steps[falls[0]], steps[falls[0] + 1]
    return [int(step), int(last - step) + 1]


@right
def fall_pairs(log):
    """Neighbours by pairwise."""
    for (_, last), (_, step) in pairwise(log):
        if step <= last:
            return step, last - step + 1
    return None


@wrong("all_falls_together")
def fall_all(log):
    """All that was made again."""
    steps = [step for _, step in log]
    for last, step in zip(steps, steps[1:], strict=False):
        if step <= last:
            return step, len(steps) - len(set(steps))


@wrong("from_where")
def from_where(log):
    """The step before the fall."""
    for (_, last), (_, step) in zip(log, log[1:], strict=False):
        if step <= last:
            return last, last - step + 1


@crashed
def index_error(log):
    """One entry too far."""
    for i in range(len(log)):
        if log[i + 1][1] <= log[i][1]:
            return log[i + 1][1], log[i][1] - log[i + 1][1] + 1


@wrong("largest_fall")
def largest(log):
    """The largest fall."""
    falls = [
        (last - step + 1, step)
        for (_, last), (_, step) in zip(log, log[1:], strict=False)
        if step <= last
    ]
    return max(falls)[::-1] if falls else None


@wrong("last_fall")
def fall_last(log):
    """The last fall."""
    found = None
    for (_, last), (_, step) in zip(log, log[1:], strict=False):
        if step <= last:
            found = step, last - step + 1
    return found


@wrong("longest_pause")
def longest_pause(log):
    """The longest pause."""
    pairs = zip(log, log[1:], strict=False)
    gaps = [after - before for (before, _), (after, _) in pairs]
    i = gaps.index(max(gaps))
    last, step = log[i][1], log[i + 1][1]
    return (step, last - step + 1) if step <= last else None


@wrong("never")
def never(log):
    """Nothing."""
    return None


@wrong("one_less")
def one_less(log):
    """One too few."""
    for (_, last), (_, step) in zip(log, log[1:], strict=False):
        if step <= last:
            return step, last - step


@wrong("one_more")
def one_more(log):
    """One too many."""
    for (_, last), (_, step) in zip(log, log[1:], strict=False):
        if step <= last:
            return step, last - step + 2


@wrong("a_pause")
def pause(log):
    """A pause of another length, as shipped."""
    for (before, last), (after, step) in zip(log, log[1:], strict=False):
        if after > before + 0.9:
            return step, max(0, last + 1 - step)


@wrong("place_in_the_log")
def place(log):
    """The place in the log."""
    for i in range(1, len(log)):
        if log[i][1] <= log[i - 1][1]:
            return i, log[i - 1][1] - log[i][1] + 1


@crashed
def seconds(log):
    """It returns a time."""
    for (_, last), (at, step) in zip(log, log[1:], strict=False):
        if step <= last:
            return at, last - step + 1


@wrong("same_step_missed")
def strict(log):
    """A fall of one step is missed."""
    for (_, last), (_, step) in zip(log, log[1:], strict=False):
        if step < last:
            return step, last - step + 1


@wrong("swapped")
def swapped(log):
    """The other way round."""
    for (_, last), (_, step) in zip(log, log[1:], strict=False):
        if step <= last:
            return last - step + 1, step


@crashed
def text(log):
    """It returns a sentence."""
    return "it fell back"


@wrong("to_zero_only")
def zero(log):
    """Only falls to 0."""
    for (_, last), (_, step) in zip(log, log[1:], strict=False):
        if step == 0:
            return step, last + 1
