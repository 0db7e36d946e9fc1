"""Ways to say which worker makes the others wait: the right one, and wrong ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from course.jobs.timed_steps import Step, TimedRun

FACTOR = 2.0  # so many times as long as that of every other worker
Works = np.ndarray  # seconds of own work: [step][worker]
Finder = Callable[[TimedRun], int | None]
Beside = Callable[[np.ndarray], float]  # of the others' works: what is compared with


def _table(run: TimedRun, time: Callable[[Step], float]) -> np.ndarray:
    """One number for each step and worker: [step][worker]."""
    found = np.zeros((1 + max(s[1] for s in run.steps), run.workers))
    for step in run.steps:
        found[step[1], step[0]] = time(step)
    return found


def _own(run: TimedRun) -> Works:
    return _table(run, lambda step: step[3] - step[2])


def _wait(run: TimedRun) -> np.ndarray:
    return _table(run, lambda step: step[4] - step[3])


def _second(others: np.ndarray) -> float:
    return others.max()


def _slow_in_steps(works: Works, beside: Beside = _second) -> list[int | None]:
    """For each step, the worker whose work is twice as long as any other's."""
    found = []
    for own in works:
        *others, first = np.sort(own)
        slow = first >= FACTOR * beside(np.array(others))
        found.append(int(own.argmax()) if slow else None)
    return found


def _in_most(slow: Sequence[int | None], half_too: bool = False) -> int | None:
    """The worker that is named in more than half of the steps, or in just half."""
    named = Counter(worker for worker in slow if worker is not None)
    worker, times = named.most_common(1)[0] if named else (None, 0)
    return worker if 2 * times > len(slow) - half_too else None


def slow_one(run: TimedRun) -> int | None:
    """Return the worker that is slow in more than half of the steps, or None."""
    return _in_most(_slow_in_steps(_own(run)))


def slow_steps(run: TimedRun) -> int:
    """Return in how many steps the slowest worker is slow."""
    slow = [worker for worker in _slow_in_steps(_own(run)) if worker is not None]
    return Counter(slow).most_common(1)[0][1] if slow else 0


def _threshold(totals: np.ndarray) -> int | None:
    second, first = np.sort(totals)[-2:]
    return int(totals.argmax()) if first >= FACTOR * second else None


def _most_often(workers: np.ndarray) -> int:
    return Counter(workers.tolist()).most_common(1)[0][0]


def _any_step(run: TimedRun) -> int | None:
    slow = [worker for worker in _slow_in_steps(_own(run)) if worker is not None]
    return slow[0] if slow else None


def _every_step(run: TimedRun) -> int | None:
    slow = set(_slow_in_steps(_own(run)))
    return slow.pop() if len(slow) == 1 else None


def _from_1(run: TimedRun) -> int | None:
    found = slow_one(run)
    return None if found is None else found + 1


def _clock(run: TimedRun) -> int:
    return _most_often(_table(run, lambda step: step[3]).argmax(axis=1))


def _steps(run: TimedRun) -> int:
    return int(_table(run, lambda step: step[4] - step[2]).sum(axis=0).argmax())


MISREADINGS: dict[str, tuple[Finder, str]] = {
    "longest_wait": (
        lambda run: int(_wait(run).sum(axis=0).argmax()),
        "the worker that spends the most time in the all-reduce is named. It is there "
        "early, and waits for another.",
    ),
    "longest_step": (
        _steps,
        "whole steps are compared, from `began` to `left`. Nobody leaves before the "
        "last has come, so steps are equally long on all workers.",
    ),
    "last_by_the_clock": (
        _clock,
        "times of different workers are compared with each other. Each worker reads "
        "its own clock: only differences within one worker mean something.",
    ),
    "least_wait": (
        lambda run: int(_wait(run).sum(axis=0).argmin()),
        "the worker that waits least is named in every recording. There is always "
        "one, in a healthy run too, and where a link is slow.",
    ),
    "longest_work_always": (
        lambda run: int(_own(run).sum(axis=0).argmax()),
        "the worker with the most own work in all is named in every recording: there "
        "is always one. And one long pause is enough for it.",
    ),
    "mean_work": (
        lambda run: _threshold(_own(run).sum(axis=0)),
        "sums or means over all steps are compared. One long pause is enough then; "
        "asked for is more than half of the steps.",
    ),
    "median_work": (
        lambda run: _threshold(np.median(_own(run), axis=0)),
        "the workers' medians over all steps are compared. Workers that are slow in "
        "turn hide in them: compare within each step, and count the steps.",
    ),
    "half_is_enough": (
        lambda run: _in_most(_slow_in_steps(_own(run)), half_too=True),
        "half of the steps is enough for it. Asked for is more than half.",
    ),
    "not_every_other": (
        lambda run: _in_most(_slow_in_steps(_own(run), np.mean)),
        "the longest work is compared with the mean of the others, or with that of "
        "some other worker. Two may be slow at once: compare with every other.",
    ),
    "longest_in_most": (
        lambda run: _in_most(_own(run).argmax(axis=1).tolist()),
        "the worker whose work is the longest in most steps is named, by however "
        "little. Ask whether it takes twice as long as every other.",
    ),
    "largest_work": (
        lambda run: int(_own(run).max(axis=0).argmax()),
        "the single longest piece of work decides. A worker may pause once.",
    ),
    "often_longest": (
        lambda run: _most_often(_own(run).argmax(axis=1)),
        "the worker whose work is most often the longest is named, by however little. "
        "There is always one: ask whether it takes twice as long as every other.",
    ),
    "any_step": (
        _any_step,
        "one step is enough for it. Asked for is more than half of the steps.",
    ),
    "every_step": (
        _every_step,
        "it names a worker only where all steps are slow. Asked for is more than half "
        "of the steps.",
    ),
    "first_step": (
        lambda run: _slow_in_steps(_own(run))[0],
        "only the first step is looked at.",
    ),
    "counted_from_1": (_from_1, "workers count from 0."),
    "nobody": (
        lambda run: None,
        "it names nobody in any recording. Are whole steps compared? They are equally "
        "long on all workers. Are rows counted as steps? Each step has one row for "
        "each worker.",
    ),
}
FINDERS: tuple[Finder, ...] = (slow_one, *(find for find, _ in MISREADINGS.values()))
