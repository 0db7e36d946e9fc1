"""Readings of a monitor, held to what a real job takes and gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import psutil

from course.checks.exercises import Data
from course.checks.properties import Properties, Property
from course.lessons.n12_out_of_memory.held_memory import MB, HeldMemory

AIR = 30  # MB; a process of Python has some of its own, and so may this kernel
SHARED = 45  # MB that ways to count what processes share may differ by


@dataclass(frozen=True)
class Plan:
    """MB that a job has, takes, reserves, lets those below it take; and our own."""

    held: int
    taken: int
    reserved: int
    child: int
    grandchild: int
    ours: int

    def __str__(self) -> str:
        return (
            f"the pid of a job that holds {self.held} MB, takes {self.taken} more, "
            f"reserves {self.reserved} without using them, starts a child that takes "
            f"{self.child}, lets a child of a child of that child take "
            f"{self.grandchild}, and gives back its own"
        )


# What the job takes is far from 102 and 205 MB: a percentage of the host, rounded to
# 0.1, must not look like GB.
_RANGES = ((70, 90), (140, 166), (300, 400), (70, 90), (91, 110), (80, 100))


def draw(rng: np.random.Generator) -> list[Plan]:
    """Draw one job."""
    return [Plan(*(int(rng.integers(*r)) for r in _RANGES))]


PROPERTIES = Properties(
    {
        "number": Property(
            "Your function did not return a number.",
            "a number at every call: MB of 2**20 bytes.",
        ),
        "follows": Property(
            "When the job took memory and wrote to it, the reading did not grow by "
            "that amount.",
            "the reading grows by what the job takes.",
        ),
        "job": Property(
            "The reading was always what the whole host uses.",
            "what this one job holds.",
        ),
        "unit": Property(
            "The reading grew with the job, but not in MB.",
            "MB of 2**20 bytes: divide bytes by 2**20.",
        ),
        "binary": Property(
            "The reading grew by 5 % more than what the job took.",
            "MB of 2**20 bytes, not of 10**6.",
        ),
        "only_used": Property(
            "When the job only reserved addresses, the reading grew by hundreds of MB.",
            "what is reserved and never used fills no memory, so it does not count.",
        ),
        "child": Property(
            "When a process that the job had started took memory, the reading did not "
            "grow by that amount.",
            "the processes that a job starts belong to it.",
        ),
        "grandchild": Property(
            "When a child of a child of the job's child took memory, the reading did "
            "not grow by that amount.",
            "all processes below the job belong to it, even children of children.",
        ),
        "once": Property(
            "The reading grew by far more than what the job and those below it took.",
            "each process counts once.",
        ),
        "not_others": Property(
            "When this kernel took memory, the reading of the job grew.",
            "what other processes take is not the job's.",
        ),
        "now": Property(
            "When the job gave memory back, the reading did not fall by that amount.",
            "what the job holds NOW.",
        ),
        "level": Property(
            "The reading changed as it should, but it was not what the job holds.",
            "all that the job holds, including what it had at the first reading.",
        ),
    }
)


def observe(function: Callable, plan: Plan) -> Data:
    """Ask the learner's monitor before a real job does something, and after each thing.

    Returns float64 arrays: "readings", (7,), NaN for what is no number; "held", (7,),
    what the job and all below it had in MB; "hosts", (7, 2), bytes that the host used,
    counted in two ways.
    """
    with HeldMemory() as job:
        job.take(plan.held)
        hosts, held = [], []

        def read() -> float:
            memory = psutil.virtual_memory()
            hosts.append((memory.used, memory.total - memory.available))
            own = psutil.Process(job.pid)
            below = own.children(recursive=True)
            held.append(sum(p.memory_info().rss for p in (own, *below)) / MB)
            return _number(function(job.pid))

        readings = [read()]
        ours = []
        for action in (
            lambda: job.take(plan.taken),
            lambda: job.reserve(plan.reserved),
            lambda: job.take_in_child(plan.child),
            lambda: job.take_in_third(plan.grandchild),
            lambda: ours.append(b"1" * (plan.ours * MB)),
            job.give_back,
        ):
            action()
            readings.append(read())
    told = {"readings": readings, "held": held, "hosts": hosts}
    return {name: np.array(values, np.float64) for name, values in told.items()}


def _of_the_host(readings: np.ndarray, hosts: np.ndarray) -> bool:
    """Whether all readings, as MB or bytes, are what the host used at the time."""
    return any(
        bool((np.abs(readings * unit / host - 1) < 0.1).all())
        for unit in (1, MB)
        for host in hosts
    )


def holds(plan: Plan, seen: Data) -> dict[str, bool]:
    """Hold what the readings grew by against what was taken.

    They were made at first, and after taking, reserving, child, the third below, ours,
    giving back.
    """
    readings, held = seen["readings"], seen["held"]
    if np.isnan(readings).any():
        return {name: name != "number" for name in PROPERTIES.of}
    if _of_the_host(readings, seen["hosts"].T):
        return {name: name != "job" for name in PROPERTIES.of}
    grown, all_given = np.diff(readings), plan.taken + plan.held
    # another unit is told once, and the rest is read in it
    units = (1.0, 2.0**20, 2.0**10, 2.0**8, 2.0**-10)  # MB, bytes, KB, pages, GB
    up, down = grown[0], -grown[-1]
    unit = next(
        (u for u in units if _near(up / u, plan.taken) and _near(down / u, all_given)),
        1.0,
    )
    took, reserved, child, grandchild, ours, back = grown / unit
    # what is given back is exact; taking memory for the first time costs some more
    millions = abs(down / all_given - MB / 10**6) < 0.02
    pairs = ((took, plan.taken), (child, plan.child), (grandchild, plan.grandchild))
    follows, first, third = (grew > mb - AIR for grew, mb in pairs)
    found = {
        "number": True,
        "follows": follows,
        "job": True,
        "unit": unit == 1.0,
        "binary": not millions,
        "only_used": reserved < plan.reserved / 2,
        "child": first,
        "grandchild": third,
        "once": all(grew < mb + AIR for grew, mb in pairs),
        "not_others": ours < plan.ours / 2,
        "now": -back > all_given - AIR,
    }
    off = np.abs(readings / unit - held).max()
    return found | {"level": not all(found.values()) or off < SHARED}


def _near(grown: float, taken: int) -> bool:
    return bool(abs(grown - taken) < AIR)


def _number(reading: object) -> float:
    """Return a reading as a float; NaN where it is no finite number."""
    try:
        number = float(reading)
    except (TypeError, ValueError):
        return np.nan
    return np.nan if isinstance(reading, str | bool) or np.isinf(number) else number
