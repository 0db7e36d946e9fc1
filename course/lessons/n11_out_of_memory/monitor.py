"""Further exercise: a monitor that measures what it says, held to real processes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.exercises import Exercise, Observation
from course.held_memory import MB, HeldMemory
from course.properties import Properties, Property

AIR = 30  # MB; a process of Python has some of its own, and so may this kernel


@dataclass(frozen=True)
class Plan:
    """MB that a job takes, reserves, lets its children take; and that we take."""

    taken: int
    reserved: int
    child: int
    grandchild: int
    ours: int

    def __str__(self) -> str:
        return (
            f"the pid of a job that takes {self.taken} MB, reserves {self.reserved} "
            f"more without using them, starts a process that takes {self.child}, which "
            f"starts one that takes {self.grandchild}, and gives back its own"
        )


def draw(rng: np.random.Generator) -> list[Plan]:
    """Draw one job."""
    return [Plan(*(int(rng.integers(*r)) for r in _RANGES))]


# What the job takes is far from 102 and 205 MB: a percentage of the host, rounded to
# 0.1, must not look like GB.
_RANGES = ((140, 166), (300, 400), (70, 90), (91, 110), (80, 100))

PROPERTIES = Properties(
    {
        "follows": Property(
            "When the job took memory and wrote to it, the reading did not grow by it.",
            "the reading grows by what the job takes.",
        ),
        "unit": Property(
            "The reading grew with the job, but not in MB.",
            "MB of 2**20 bytes: divide bytes by 2**20.",
        ),
        "only_used": Property(
            "When the job only reserved addresses, the reading grew by hundreds of MB.",
            "what is reserved and never used fills no memory, and is not counted.",
        ),
        "child": Property(
            "When a process that the job had started took memory, the reading did not "
            "grow by it.",
            "the processes that a job starts belong to it.",
        ),
        "grandchild": Property(
            "When a process took memory that the job's child had started, the reading "
            "did not grow by it.",
            "all processes below the job belong to it, children of children too.",
        ),
        "not_others": Property(
            "When this kernel took memory, the reading of the job grew.",
            "what other processes take is not the job's.",
        ),
        "now": Property(
            "When the job gave its memory back, the reading did not fall by it.",
            "what the job holds NOW.",
        ),
    }
)


def _observe(function: Callable, plan: Plan) -> Observation:
    with HeldMemory() as job:

        def read() -> float:
            return _number(function(job.pid))

        readings = [read()]
        ours = []
        for action in (
            lambda: job.take(plan.taken),
            lambda: job.reserve(plan.reserved),
            lambda: job.take_in_child(plan.child),
            lambda: job.take_in_grandchild(plan.grandchild),
            lambda: ours.append(b"1" * (plan.ours * MB)),
            job.give_back,
        ):
            action()
            readings.append(read())
    return _judge(plan, np.diff(readings))


def _judge(plan: Plan, grown: np.ndarray) -> Observation:
    """Hold what the readings grew by against what was taken.

    grown: for taking, reserving, child, grandchild, ours, giving back.
    """
    # another unit is told once, and the rest is read in it
    units = (1.0, 2.0**20, 2.0**10, 2.0**8, 2.0**-10)  # MB, bytes, KB, pages, GB
    up, down = grown[0], -grown[-1]
    unit = next(
        (u for u in units if _near(up / u, plan.taken) and _near(down / u, plan.taken)),
        1.0,
    )
    took, reserved, child, grandchild, ours, back = grown / unit
    return PROPERTIES.observation(
        {
            "follows": _near(took, plan.taken),
            "unit": unit == 1.0,
            "only_used": reserved < plan.reserved / 2,
            "child": _near(child, plan.child),
            "grandchild": _near(grandchild, plan.grandchild),
            "not_others": ours < plan.ours / 2,
            "now": _near(-back, plan.taken),
        }
    )


def _near(grown: float, taken: int) -> bool:
    return bool(abs(grown - taken) < AIR)


def _number(reading: object) -> float:
    try:
        number = float(reading)
    except (TypeError, ValueError):
        number = np.nan
    if isinstance(reading, str | bool) or not np.isfinite(number):
        raise TypeError(f"the function returned {reading!r}; it must return a number")
    return number


MY_MONITOR = Exercise(
    name="11/my_monitor",
    cases=draw,
    observe=_observe,
    expect=PROPERTIES.expect,
    compare=PROPERTIES.compare,
    mistakes=(
        PROPERTIES.mistake(
            "not_the_job",
            ("follows", "child", "grandchild", "now"),
            "the number does not follow the job at all. virtual_memory() is about the "
            "host, whoever uses it, and a percentage of it hides even 100 MB; "
            "cpu_percent() is no memory.",
        ),
        PROPERTIES.mistake(
            "this_process",
            ("follows", "child", "grandchild", "not_others", "now"),
            "psutil.Process() without a number is the process that asks: this kernel, "
            "not the job.",
        ),
        PROPERTIES.mistake(
            "children_forgotten",
            ("child", "grandchild"),
            "only the job's own process is read. What it started (workers, loaders) "
            "is not in it: add up children too.",
        ),
        PROPERTIES.mistake(
            "grandchildren_forgotten",
            ("grandchild",),
            "children are added, their children are not: children(recursive=True).",
        ),
        PROPERTIES.mistake(
            "children_only",
            ("follows", "now"),
            "only what the job started is added up; its own process is missing.",
        ),
        PROPERTIES.mistake(
            "addresses",
            ("only_used",),
            "vms counts addresses, also those that are only reserved. What fills the "
            "memory is rss.",
        ),
        PROPERTIES.mistake(
            "addresses_of_one",
            ("only_used", "child", "grandchild"),
            "vms counts addresses, also those that are only reserved; and only the "
            "job's own process is read.",
        ),
        PROPERTIES.mistake(
            "peak",
            ("now",),
            "the number never falls: it is the highest so far, not what is held now.",
        ),
        PROPERTIES.mistake(
            "peak_of_one",
            ("now", "child", "grandchild"),
            "the number is the highest so far, and of the job's own process only.",
        ),
        PROPERTIES.mistake(
            "other_unit",
            ("unit",),
            "the reading is in another unit: psutil counts bytes, and asked are MB of "
            "2**20 bytes.",
        ),
        PROPERTIES.mistake(
            "other_unit_of_one",
            ("unit", "child", "grandchild"),
            "the reading is not in MB, and of the job's own process only.",
        ),
        PROPERTIES.mistake(
            "others_too",
            ("not_others",),
            "memory of other processes is in the number: this kernel's, or all that "
            "the host uses.",
        ),
    ),
    right="The reading followed a real job and all it started, in MB, up and down.",
)
