"""Wrong answers to 18/my_fall_back: each is the mistake of its name."""

from itertools import pairwise

from course.checks.exercises import wrong_answers


def falls(log):
    """Return (step, steps made again) of each fall, in order."""
    steps = pairwise(step for _, step in log)
    return [(step, last - step + 1) for last, step in steps if step <= last]


def _first(found):
    return next(iter(found), None)


def a_pause(log):
    """It takes a pause for a failure. A job can pause without losing a step, and a new
    start can be quick: the steps tell, not the seconds.
    """
    for (before, last), (after, step) in pairwise(log):
        if after > before + 0.9:
            return step, max(0, last + 1 - step)


def a_shorter_pause(log):
    """It takes a shorter pause for a failure. Whatever the limit, a job can pause and
    lose no step, and a new start can be quick: the steps tell, not the seconds.
    """
    for (before, last), (after, step) in pairwise(log):
        if after > before + 0.25:
            return step, max(0, last + 1 - step)


def longest_pause(log):
    """It looks at the longest pause only. A new start can be quicker than another
    pause: the steps tell, not the seconds.
    """
    pairs = pairwise(log)
    gaps = [after - before for (before, _), (after, _) in pairs]
    i = gaps.index(max(gaps))
    last, step = log[i][1], log[i + 1][1]
    return (step, last - step + 1) if step <= last else None


def one_less(log):
    """The step is right, the number is one too small: the step that was begun last
    before the failure was begun again, too.
    """
    return _first((step, again - 1) for step, again in falls(log))


def one_more(log):
    """The step is right, the number is one too large."""
    return _first((step, again + 1) for step, again in falls(log))


def all_steps_before(log):
    """The step is right. The number is that of all steps until then, also of those that
    were not lost.
    """
    return _first((step, step + again) for step, again in falls(log))


def from_where(log):
    """It returns the step before the fall, not the one that it fell back TO."""
    return _first((step + again - 1, again) for step, again in falls(log))


def last_fall(log):
    """It returns the last fall, not the first."""
    return _first(reversed(falls(log)))


def largest_fall(log):
    """It returns the largest fall, not the first one."""
    return max(falls(log), key=lambda fall: fall[::-1], default=None)


def all_falls_together(log):
    """The number is that of the whole log. Only the steps of the first fall are asked
    for.
    """
    steps = [step for _, step in log]
    return _first((step, len(steps) - len(set(steps))) for step, _ in falls(log))


def same_step_missed(log):
    """It misses a fall of one step, where the same step comes twice in a row."""
    return _first(fall for fall in falls(log) if fall[1] > 1)


def to_zero_only(log):
    """It sees only falls back to step 0. A checkpoint brings a job back to where it was
    saved.
    """
    return _first(fall for fall in falls(log) if fall[0] == 0)


def place_in_the_log(log):
    """It returns where in the log the fall stands, not which step that is."""
    for i in range(1, len(log)):
        if log[i][1] <= log[i - 1][1]:
            return i, log[i - 1][1] - log[i][1] + 1


MISTAKES = wrong_answers(__name__, falls)
