"""Further: a job in which no worker is slow, but every step waits for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Data
from course.checks.failures import WrongReturn
from course.checks.properties import Properties, Property
from course.lessons.n16_more_workers_slower_steps.wrong_slow_one import slow_one

SMALL = 1e-6  # of the seconds that are asked for


@dataclass(frozen=True)
class Job:
    """A job; seconds: of own work of each worker in each step."""

    workers: int
    steps: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.workers} workers, {self.steps} steps, {self.seconds:g} s"


def draw(rng: np.random.Generator) -> list[Job]:
    """Draw jobs whose steps divide evenly by their workers."""
    return [
        Job(workers, workers * int(rng.integers(3, 6)), int(rng.integers(1, 9)) / 100)
        for workers in (3, 4, 5)
    ]


def observe(turns: Callable, job: Job) -> Data:
    """Return the table that the function makes, as an array.

    Raises:
        WrongReturn: it has another shape, or numbers that are no seconds.
    """
    answer = turns(job.workers, job.steps, job.seconds)
    try:
        table = np.array(answer, float)
    except (TypeError, ValueError):
        table = np.zeros(0)
    wanted = (job.steps, job.workers)
    if table.shape != wanted or not (np.isfinite(table) & (table >= 0)).all():
        due = f"a table [step][worker] of seconds, none below 0, of shape {wanted}"
        raise WrongReturn.of(answer, due, f"the shape {table.shape} for {job}")
    return {"table": table}


def holds(job: Job, data: Data) -> Mapping[str, bool]:
    """Return which of the properties a table has."""
    table = np.asarray(data["table"])
    small = SMALL * job.seconds  # no real work takes no time at all
    steps = [
        (worker, step, 0.0, float(own) + small, float(table[step].max()) + small)
        for step, works in enumerate(table)
        for worker, own in enumerate(works)
    ]
    own = job.steps * job.seconds
    most = job.workers * own
    return {
        "enough": bool((table.sum(0) > own - small).all()),
        "no more": bool((table.sum(0) < own + small).all()),
        "nobody": slow_one(steps) is None,
        "long": bool(table.max(1).sum() > most - small),
    }


PROPERTIES = Properties(
    {
        "enough": Property(
            "In one of the jobs, a worker works less in all than in the shipped job.",
            "the seconds of each worker add up to steps * seconds.",
        ),
        "no more": Property(
            "In one of the jobs, a worker works more in all than in the shipped job.",
            "the seconds of each worker add up to steps * seconds.",
        ),
        "nobody": Property(
            "In one of the jobs, one worker's own work is at least twice as long as "
            "that of every other worker in more than half of the steps.",
            "a table for which my_slow_one returns None.",
        ),
        "long": Property(
            "In one of the jobs, the steps take less time in all than they could.",
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
            "the longest work in it, so the shorter work adds no time.",
        ),
        _mistake(
            "one_always",
            ["enough", "no more", "nobody"],
            "one worker does most of the work of the others, so every probe finds it.",
        ),
        _mistake(
            "one_often",
            ["nobody"],
            "one worker is slow in more than half of the steps. A worker may be slow "
            "in a few steps only.",
        ),
        _mistake(
            "more_work",
            ["no more"],
            "the steps are long because there is more work. Each worker must work as "
            "long as before.",
        ),
        _mistake(
            "too_little_work",
            ["enough", "long"],
            "there is less work than before. If a worker works in fewer steps, it must "
            "work longer in each of them.",
        ),
        _mistake(
            "moved_to_others",
            ["enough", "no more"],
            "some workers work more than before, and others less. Move work only "
            "between the steps of the same worker.",
        ),
        _mistake(
            "added_on_top",
            ["no more", "long"],
            "a worker works more than before. Move work to other steps instead of "
            "adding some.",
        ),
    ),
    holds,
    right="No worker is slow in most steps, none works more than before, and with n "
    "workers each job takes n times as long. On real machines, pauses do that: of the "
    "garbage collector, of a disk, of another job.",
)
