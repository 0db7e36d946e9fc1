"""Wrong answers to 16/my_slow_one: each is the mistake of its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from course.checks.exercises import wrong_answers
from course.lessons.n16_more_workers_slower_steps.timed_steps import Step

FACTOR = 2.0  # so many times as long as that of every other worker
Steps = Sequence[Step]
Works = np.ndarray  # seconds of own work: [step][worker]
Beside = Callable[[np.ndarray], float]  # of the others' works: what is compared with


def _table(steps: Steps, time: Callable[[Step], float]) -> np.ndarray:
    """One number for each step and worker: [step][worker]."""
    workers, numbers = (1 + max(step[part] for step in steps) for part in (0, 1))
    found = np.zeros((numbers, workers))
    for step in steps:
        found[step[1], step[0]] = time(step)
    return found


def _own(steps: Steps) -> Works:
    return _table(steps, lambda step: step[3] - step[2])


def _wait(steps: Steps) -> np.ndarray:
    return _table(steps, lambda step: step[4] - step[3])


def _slow(
    own: np.ndarray, beside: Beside = np.max, factor: float = FACTOR
) -> int | None:
    """The worker whose work is `factor` times as long as any other's, or None."""
    others = np.delete(own, own.argmax())
    return int(own.argmax()) if own.max() >= factor * beside(others) else None


def _slow_in_steps(
    steps: Steps, beside: Beside = np.max, factor: float = FACTOR
) -> list[int | None]:
    return [_slow(own, beside, factor) for own in _own(steps)]


def _some_slow(steps: Steps) -> list[int]:
    return [worker for worker in _slow_in_steps(steps) if worker is not None]


def _in_most(slow: Sequence[int | None], half_too: bool = False) -> int | None:
    """The worker that is named in more than half of the steps, or in just half."""
    named = Counter(worker for worker in slow if worker is not None)
    worker, times = named.most_common(1)[0] if named else (None, 0)
    return worker if 2 * times > len(slow) - half_too else None


def slow_one(steps: Steps) -> int | None:
    """Return the worker that is slow in more than half of the steps, or None."""
    return _in_most(_slow_in_steps(steps))


def slow_steps(steps: Steps) -> int:
    """Return in how many steps the slowest worker is slow."""
    return max(Counter(_some_slow(steps)).values(), default=0)


def _ratios(own: Works, worker: int) -> np.ndarray:
    """Return each step's ratio of the worker's work to the longest other work."""
    return own[:, worker] / np.delete(own, worker, axis=1).max(axis=1)


def _most_often(workers: np.ndarray) -> int:
    return Counter(workers.tolist()).most_common(1)[0][0]


def longest_wait(steps: Steps) -> int | None:
    """It names the worker that spends the most time in the all-reduce. That worker is
    early and waits for another one.
    """
    return int(_wait(steps).sum(axis=0).argmax())


def longest_step(steps: Steps) -> int | None:
    """It compares whole steps, from `began` to `left`. No worker leaves an all-reduce
    before the last one enters it, so whole steps are equally long on all workers.
    """
    whole = _table(steps, lambda step: step[4] - step[2])
    return int(whole.sum(axis=0).argmax())


def last_by_the_clock(steps: Steps) -> int | None:
    """It compares times of different workers. Each worker reads its own clock, so only
    differences between times of one worker mean something.
    """
    return _most_often(_table(steps, lambda step: step[3]).argmax(axis=1))


def least_wait(steps: Steps) -> int | None:
    """It names the worker that waits least, in every recording. There is always one,
    even in a healthy run or if a link is slow.
    """
    return int(_wait(steps).sum(axis=0).argmin())


def longest_work_always(steps: Steps) -> int | None:
    """It names the worker with the most own work in all, in every recording. There is
    always one, and one long pause is enough.
    """
    return int(_own(steps).sum(axis=0).argmax())


def mean_work(steps: Steps) -> int | None:
    """It compares sums or means over all steps, so one long pause is enough. The worker
    must be slow in more than half of the steps.
    """
    return _slow(_own(steps).sum(axis=0))


def longest_of_all_steps(steps: Steps) -> int | None:
    """It compares the longest work of each worker. A worker may pause once; it must be
    slow in more than half of the steps.
    """
    return _slow(_own(steps).max(axis=0))


def less_than_twice(steps: Steps) -> int | None:
    """It counts a worker as slow that takes less than twice as long as another."""
    return _in_most(_slow_in_steps(steps, factor=1.5))


def more_than_twice(steps: Steps) -> int | None:
    """It does not count a worker as slow that takes just over twice as long as every
    other.
    """
    return _in_most(_slow_in_steps(steps, factor=2.5))


def exactly_twice_left_out(steps: Steps) -> int | None:
    """It does not count a worker as slow that takes exactly twice as long. At least
    twice is enough.
    """
    return _in_most(_slow_in_steps(steps, factor=np.nextafter(FACTOR, 3.0)))


def median_of_ratios(steps: Steps) -> int | None:
    """It compares the median ratio over the steps with 2. If the worker is slow in just
    half of the steps, that median is a mean of a slow and a quick step.
    """
    own = _own(steps)
    medians = [np.median(_ratios(own, worker)) for worker in range(own.shape[1])]
    return int(np.argmax(medians)) if max(medians) >= FACTOR else None


def median_work(steps: Steps) -> int | None:
    """It compares the workers' medians over all steps. They hide workers that are slow
    in turn. Compare within each step, then count the steps.
    """
    return _slow(np.median(_own(steps), axis=0))


def half_is_enough(steps: Steps) -> int | None:
    """It accepts half of the steps. The worker must be slow in more than half."""
    return _in_most(_slow_in_steps(steps), half_too=True)


def not_every_other(steps: Steps) -> int | None:
    """It compares the longest work with the mean of the others, or with one of them.
    Two workers may be slow at once, so compare with every other worker.
    """
    return _in_most(_slow_in_steps(steps, np.mean))


def longest_in_most(steps: Steps) -> int | None:
    """It names the worker whose work is the longest in most steps, even if only just.
    Its work must take at least twice as long as that of every other.
    """
    return _in_most(_own(steps).argmax(axis=1).tolist())


def largest_work(steps: Steps) -> int | None:
    """It lets the single longest work decide. A worker may pause once."""
    return int(_own(steps).max(axis=0).argmax())


def often_longest(steps: Steps) -> int | None:
    """It names the worker whose work is most often the longest, even if only just.
    There is always one. Its work must take at least twice as long as every other's.
    """
    return _most_often(_own(steps).argmax(axis=1))


def any_step(steps: Steps) -> int | None:
    """It accepts one slow step. The worker must be slow in more than half of them."""
    return next(iter(_some_slow(steps)), None)


def every_step(steps: Steps) -> int | None:
    """It names a worker only if that is slow in all steps. More than half of the steps
    is enough.
    """
    slow = set(_slow_in_steps(steps))
    return slow.pop() if len(slow) == 1 else None


def first_step(steps: Steps) -> int | None:
    """It looks at the first step only."""
    return _slow_in_steps(steps)[0]


def counted_from_1(steps: Steps) -> int | None:
    """Workers count from 0."""
    found = slow_one(steps)
    return None if found is None else found + 1


def nobody(steps: Steps) -> int | None:
    """It always returns None. Do you compare whole steps? They are equally long on all
    workers. Do you count rows as steps? Each step has one row for each worker.
    """
    return None


MISTAKES = wrong_answers(__name__, slow_one, slow_steps)
