"""Answers to 16/my_turns, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import changed, right, wrong


@right
def in_turn(workers, steps, seconds):
    """Step by step another worker, which works for all."""
    table = [[0] * workers for _ in range(steps)]
    for step, works in enumerate(table):
        works[step % workers] = workers * seconds
    return table


@right
def all_at_once(workers, steps, seconds):
    """Each worker does all its work in one step; in the other steps nobody works."""
    table = np.zeros((steps, workers))
    table[range(workers), range(workers)] = steps * seconds
    return table


@right
def in_blocks(workers, steps, seconds):
    """One worker after the other, each for some steps."""
    return np.repeat(np.eye(workers), steps // workers, axis=0) * workers * seconds


@wrong("side_by_side")
def twice_as_long(workers, steps, seconds):
    """In turn twice as long; the others make up for it."""
    table = np.full((steps, workers), seconds * (workers - 2) / (workers - 1))
    for step in range(steps):
        table[step, step % workers] = 2 * seconds
    return table


@wrong("one_always")
def worker_0(workers, steps, seconds):
    """Worker 0 works for all."""
    return [[workers * seconds] + [0] * (workers - 1)] * steps


@wrong("one_often")
def worker_0_often(workers, steps, seconds):
    """Each of the others works in one step, worker 0 in the rest."""
    table = np.zeros((steps, workers))
    table[workers - 1 :, 0] = steps * seconds / (steps - workers + 1)
    table[range(workers - 1), range(1, workers)] = steps * seconds
    return table


@wrong("added_on_top")
def pauses(workers, steps, seconds):
    """In turn one worker has a pause on top."""
    table = np.full((steps, workers), seconds)
    for step in range(steps):
        table[step, step % workers] += seconds
    return table


@wrong("more_work")
@changed(in_turn, ("workers * seconds", "steps * workers * seconds"))
def too_long():
    """In turn, and in each step all the work of the job."""


@wrong("too_little_work")
@changed(in_turn, ("workers * seconds", "seconds"))
def not_multiplied():
    """In turn, and each step as long as before."""


@wrong("moved_to_others")
@changed(in_turn, ("return table", "return [table[0], table[0], *table[2:]]"))
def worker_0_for_worker_1():
    """Worker 0 does some of the work of worker 1."""


@wrong
@changed(in_turn, ("return table", "return list(zip(*table))"))
def other_way_round():
    """A row for each worker."""
