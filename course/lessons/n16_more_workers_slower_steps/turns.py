"""Further: a job in which nobody is slow, and every step waits for somebody."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Data
from course.checks.properties import Properties, Property
from course.lessons.n16_more_workers_slower_steps.wrong_slow_one import slow_one

SMALL = 1e-6  # of the seconds that are asked for


@dataclass(frozen=True)
class Job:
    """How many workers make how many steps; seconds: of own work, each in each step."""

    workers: int
    steps: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.workers} workers, {self.steps} steps, {self.seconds:g} s"


def draw(rng: np.random.Generator) -> list[Job]:
    """Draw jobs whose steps can be dealt out evenly."""
    return [
        Job(workers, workers * int(rng.integers(3, 6)), int(rng.integers(1, 9)) / 100)
        for workers in (3, 4, 5)
    ]


def observe(turns: Callable, job: Job) -> Data:
    """Return the table that the function makes, as an array.

    Raises:
        TypeError: it has another shape, or numbers that are no seconds.
    """
    answer = turns(job.workers, job.steps, job.seconds)
    try:
        table = np.array(answer, float)
    except (TypeError, ValueError):
        table = np.zeros(0)
    wanted = (job.steps, job.workers)
    if table.shape != wanted or not (np.isfinite(table) & (table >= 0)).all():
        raise TypeError(
            "the function must return a table [step][worker] of seconds, none below 0; "
            f"for {job} its shape is {wanted}, and not {table.shape}"
        )
    return {"table": table}


def holds(job: Job, data: Data) -> Mapping[str, bool]:
    """Say which of the properties a table has."""
    table = np.asarray(data["table"])
    small = SMALL * job.seconds  # no real work takes no time at all
    steps = [
        (worker, step, 0.0, float(own) + small, float(table[step].max()) + small)
        for step, works in enumerate(table)
        for worker, own in enumerate(works)
    ]
    most = job.workers * job.steps * job.seconds
    return {
        "total": bool((abs(table.sum(0) - job.steps * job.seconds) < small).all()),
        "nobody": slow_one(steps) is None,
        "long": bool(table.max(1).sum() > most - small),
    }


PROPERTIES = Properties(
    {
        "total": Property(
            "In some job, not every worker works as long in all as in the shipped one.",
            "the sum of each worker's seconds is steps times seconds.",
        ),
        "nobody": Property(
            "In some job, one worker's own work is at least twice that of every other "
            "one in more than half of the steps.",
            "a table of which my_slow_one names nobody.",
        ),
        "long": Property(
            "In some job, the steps are over sooner than they can be.",
            "steps that last as long in all as the workers' work, added up.",
        ),
    }
)
_mistake = PROPERTIES.mistake
MY_TURNS = PROPERTIES.exercise(
    "16/my_turns",
    draw,
    observe,
    (
        _mistake(
            "side_by_side",
            ["long"],
            "in some steps two workers work at the same time. A step lasts as long as "
            "the longest work in it, so the shorter one costs nothing.",
        ),
        _mistake(
            "one_always",
            ["total", "nobody"],
            "one worker does most of the work. Any probe finds it.",
        ),
        _mistake(
            "one_often",
            ["nobody"],
            "one worker is slow in more than half of the steps: its work may be long, "
            "or it may be dealt out over many of them.",
        ),
        _mistake(
            "more_or_less_work",
            ["total"],
            "the steps are long because there is more work, or some worker has less. "
            "All are to work as long as before.",
        ),
        _mistake(
            "added_on_top",
            ["total", "long"],
            "waits were added to the work of each step, or taken away. The work of "
            "each worker is only to be dealt out to other steps.",
        ),
    ),
    holds,
    right="Nobody is slow, nobody works more than before, and each job takes as many "
    "times as long as there are workers. On real machines these are pauses in turn: of "
    "the garbage collector, of a disk, of another job.",
)
