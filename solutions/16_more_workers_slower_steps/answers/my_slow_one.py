"""Answers to 16/my_slow_one, right and wrong, and what the check says of each."""

from collections import Counter

import numpy as np

from autograder.answers import changed, right, wrong


@right
def counter(steps):
    """A counter of slow steps."""
    numbers = sorted({step[1] for step in steps})
    slow = Counter()
    for number in numbers:
        works = sorted((e - b, w) for w, n, b, e, _ in steps if n == number)
        slow[works[-1][1]] += works[-1][0] >= 2 * works[-2][0]
    worker, count = slow.most_common(1)[0]
    return worker if count > len(numbers) / 2 else None


@right
def every_other(steps):
    """Compares with every other worker, one by one."""
    workers = sorted({step[0] for step in steps})
    own = {(step[1], step[0]): step[3] - step[2] for step in steps}
    numbers = {step[1] for step in steps}
    for worker in workers:
        times = sum(
            all(own[n, worker] >= 2 * own[n, w] for w in workers if w != worker)
            for n in numbers
        )
        if times > len(numbers) / 2:
            return worker
    return None


@right
def numpy(steps):
    """A table of steps and workers."""
    own = np.zeros((1 + max(s[1] for s in steps), 1 + max(s[0] for s in steps)))
    for worker, step, began, entered, _left in steps:
        own[step, worker] = entered - began
    for worker in range(own.shape[1]):
        others = np.delete(own, worker, axis=1).max(axis=1)
        if np.mean(own[:, worker] >= 2 * others) > 0.5:
            return worker


@right
def median_counted_down(steps):
    """The lower median of the ratios: at least twice in more than half of the steps."""
    numbers = sorted({step[1] for step in steps})
    for worker in sorted({step[0] for step in steps}):
        ratios = []
        for number in numbers:
            own = {
                w: left - b - (left - e) for w, n, b, e, left in steps if n == number
            }
            ratios.append(own.pop(worker) / max(own.values()))
        if sorted(ratios)[(len(ratios) - 1) // 2] >= 2:
            return worker
    return None


@wrong("median_of_ratios")
@changed(
    median_counted_down,
    ("sorted(ratios)[(len(ratios) - 1) // 2] >= 2", "np.median(ratios) >= 2"),
)
def numpys_median():
    """NumPy's median is a mean of two, where there are two."""


@wrong("exactly_twice_left_out")
@changed(numpy, (">= 2 * others", "> 2 * others"))
def strictly_more():
    """More than twice as long."""


@wrong
def pair(steps):
    """Two numbers."""
    return 1, 0.08


@wrong("nobody")
def rows_counted(steps):
    """More than half of the rows: a step has one for each worker."""
    own, slow = {}, []
    for worker, step, began, entered, _left in steps:
        own.setdefault(step, {})[worker] = entered - began
    for works in own.values():
        *_, second, first = sorted(works, key=works.get)
        slow.append(first if works[first] >= 2 * works[second] else None)
    for worker in set(slow) - {None}:
        if slow.count(worker) > len(steps) / 2:
            return worker


@wrong("less_than_twice")
@changed(numpy, ("2 * others", "1.9 * others"))
def almost_twice():
    """A little less than twice as long."""


@wrong("less_than_twice")
@changed(numpy, ("2 * others", "1.4 * others"))
def far_less_than_twice():
    """Less than half as much longer."""


@wrong("more_than_twice")
@changed(numpy, ("2 * others", "2.2 * others"))
def a_little_more():
    """A little more than twice as long."""
