"""Locate: which worker makes the others wait, from each worker's own clock?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations

import numpy as np

from course.exercises import Difference, Exercise, Mistake, Observation
from course.jobs.timed_steps import Step, TimedRun

FACTOR = 2.0  # so many times as long as that of every other worker
NOBODY = -1.0
Works = np.ndarray  # seconds of own work: [step][worker]
Finder = Callable[[TimedRun], int | None]


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


def _slow_in_steps(works: Works) -> list[int | None]:
    """For each step, the worker whose work is twice as long as any other's."""
    found = []
    for own in works:
        second, first = np.sort(own)[-2:]
        found.append(int(own.argmax()) if first >= FACTOR * second else None)
    return found


def slow_one(run: TimedRun) -> int | None:
    """Return the worker that is slow in more than half of the steps, or None."""
    slow = _slow_in_steps(_own(run))
    worker, times = Counter(slow).most_common(1)[0]
    return worker if 2 * times > len(slow) else None


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
        "it never names a worker, as a look at the length of the steps would.",
    ),
}
FINDERS: tuple[Finder, ...] = (slow_one, *(find for find, _ in MISREADINGS.values()))


def draw(rng: np.random.Generator) -> list[TimedRun]:
    """Draw recordings on which every known mistake answers something else."""
    while True:
        drawn = _candidates(rng)
        answers = [[find(run) for run in drawn] for find in FINDERS]
        if all(a != b for a, b in combinations(answers, 2)):
            return drawn


def _candidates(rng: np.random.Generator) -> list[TimedRun]:
    def works(steps: int, workers: int) -> Works:
        return 0.02 * rng.uniform(1.0, 1.45, (steps, workers))

    def slower(times: int | tuple[int, ...]) -> np.ndarray:
        return rng.uniform(3.2, 4.2, times)

    always = works(6, 3)
    always[:, rng.integers(3)] *= slower(6)
    paused = works(7, 4)
    paused[0, rng.integers(4)] *= 25
    often = works(7, 4)
    slow, other = rng.permutation(4)[:2]
    steps = 1 + rng.permutation(6)[:5]
    often[steps, slow] *= slower(5)
    often[steps[2], other] *= 90
    return [
        _recorded(rng, always, 0.003),
        _recorded(rng, works(6, 3), 0.003),
        _recorded(rng, paused, 0.003),
        _recorded(rng, works(7, 3), 0.15),
        _recorded(rng, often, 0.003),
    ]


def _recorded(rng: np.random.Generator, works: Works, network: float) -> TimedRun:
    """Let workers work, meet, and wait for the network; each reads its own clock."""
    workers = works.shape[1]
    zeros = rng.uniform(-500.0, 500.0, workers)
    began, steps = rng.uniform(0.0, 0.002, workers), []
    for number, own in enumerate(works):
        entered = began + own
        left = entered.max() + network + rng.uniform(0.0, 0.002, workers)
        times = np.stack([began, entered, left], axis=1) + zeros[:, None]
        steps += [(w, number, *map(float, times[w])) for w in range(workers)]
        began = left + rng.uniform(0.0, 0.0005, workers)
    label = f"a recording of {workers} workers and {len(works)} steps"
    return TimedRun(label, tuple(steps))


def recorded(answer: object) -> Observation:
    """Turn a worker's number, or None, into an observation.

    Raises:
        TypeError: it is something else.
    """
    number = None if isinstance(answer, bool | str) else answer
    try:
        found = NOBODY if answer is None else float(number)
    except (TypeError, ValueError):
        found = 0.5
    if found != found // 1 or (found < 0 and answer is not None):
        raise TypeError(
            f"the function returned {answer!r}; it must return a worker's number, or "
            "None"
        )
    return Observation(np.array([found]))


def compare(run: TimedRun, got: Observation, truth: Observation) -> Difference:
    """Say who was named, and in how many steps the slowest is slow."""
    named, right = (None if o.values[0] < 0 else int(o.values[0]) for o in (got, truth))
    steps, slow = 1 + max(step[1] for step in run.steps), slow_steps(run)
    reason = (
        f"in {slow} of {steps} steps, its own work took at least twice as long as that "
        "of every other worker"
        if right is not None
        else "no worker's own work took, in more than half of the steps, at least "
        f"twice as long as that of every other (at most in {slow} of {steps})"
    )
    return Difference(f"It returned {named}.", f"Expected {right}: {reason}.")


def _observe(function: Callable, run: TimedRun) -> Observation:
    return recorded(function(list(run.steps)))


def _mistake(code: str) -> Mistake:
    find, cause = MISREADINGS[code]
    return Mistake(code, cause, lambda run: recorded(find(run)))


MY_SLOW_ONE = Exercise(
    name="15/my_slow_one",
    cases=draw,
    observe=_observe,
    expect=lambda run: recorded(slow_one(run)),
    compare=compare,
    mistakes=tuple(map(_mistake, MISREADINGS)),
    right="Right on five recordings, in three of which no worker is slow.",
)
