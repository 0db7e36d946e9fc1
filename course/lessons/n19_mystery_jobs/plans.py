"""Draw which job has which faults, and write its code; nothing is run here."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from course.lessons.n19_mystery_jobs.faults import (
    FAULTS,
    HEALTHY_REPORTS,
    HIDING,
    Fault,
)
from course.lessons.n19_mystery_jobs.replica_code import replica_code
from course.lessons.n19_mystery_jobs.worker_code import worker_code

PARTS = (1, 2, 3)
JOBS = 6
BOTH_KINDS = 4  # from so many jobs on, one is healthy and one has two faults
MOST_OF_A_PART = 2
WORKERS_IN = 3  # the part whose jobs have workers; the others have replicas


@dataclass(frozen=True)
class Plan:
    """What one job is made of.

    number: from 1.
    part: of the course.
    faults: none, one or two.
    thinned: whether it leaves rows out (jobs with replicas).
    resumed: whether it goes on from a checkpoint (jobs with workers).
    spelling: 0 or 1: the same in other words.
    seed: of what it is to train.
    """

    number: int
    part: int
    faults: tuple[Fault, ...]
    thinned: bool
    resumed: bool
    spelling: int
    seed: int

    @property
    def kind(self) -> str:
        """Who shares the work: "replicas" or "workers"."""
        return "workers" if self.part == WORKERS_IN else "replicas"

    @property
    def names(self) -> frozenset[str]:
        """The numbers of the notebooks that name its faults."""
        return frozenset(fault.notebook for fault in self.faults)

    @property
    def report(self) -> str:
        """What a person says who met it."""
        if self.faults:
            return " ".join(fault.report for fault in self.faults)
        return HEALTHY_REPORTS[self.kind][self.spelling]

    def code(self, name: str, *, healthy: bool = False) -> str:
        """Return the source of the job as a function `name`, with or without faults."""
        codes = [] if healthy else [fault.code for fault in self.faults]
        if self.kind == "workers":
            kinds = {"resumed": self.resumed, "spelling": self.spelling}
            return worker_code(name, codes, **kinds)
        kinds = {"thinned": self.thinned, "spelling": self.spelling}
        return replica_code(name, codes, **kinds)


def draw_plans(
    seed: int, parts: Sequence[int] = PARTS, jobs: int = JOBS
) -> tuple[Plan, ...]:
    """Compose `jobs` jobs from the faults of `parts`.

    From four jobs on, one of them is healthy and one has two faults. No two jobs have
    faults of the same notebook, while there are others.

    Args:
        seed: a whole number from 0 up; the same seed gives the same jobs.
        parts: of the course, from 1, 2 and 3.
        jobs: how many: 1 to 6, and at most 2 of a part, beside the healthy one.

    Raises:
        ValueError: seed, parts or jobs are not as said above.
    """
    _refuse_bad(seed, parts, jobs)
    rng = np.random.default_rng([seed, 19])
    known = sorted(set(parts))
    drawn: list[tuple[int, tuple[Fault, ...]]] = []
    if jobs >= BOTH_KINDS:
        drawn.append((int(rng.choice(known)), ()))
    used: set[str] = set()
    for place, part in enumerate(_spread(rng, known, jobs - len(drawn))):
        count = 2 if jobs >= BOTH_KINDS and place == 0 else 1
        faults = _draw_faults(rng, part, used, count)
        used |= {fault.notebook for fault in faults}
        drawn.append((part, faults))
    order = enumerate(rng.permutation(len(drawn)), start=1)
    return tuple(plan(rng, number, *drawn[place]) for number, place in order)


def _refuse_bad(seed: object, parts: object, jobs: object) -> None:
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise ValueError(f"seed must be a whole number from 0 up, not {seed!r}")
    if not parts or not set(parts) <= set(PARTS):
        raise ValueError(f"parts are some of 1, 2 and 3, not {parts!r}")
    broken = MOST_OF_A_PART * len(set(parts))
    most = broken + (broken + 1 >= BOTH_KINDS)
    if jobs not in range(1, min(JOBS, most) + 1):
        raise ValueError(
            f"{jobs!r} jobs can't be drawn from {len(set(parts))} part(s) of the "
            f"course: ask for 1 to {min(JOBS, most)}"
        )


def _spread(rng: np.random.Generator, parts: Sequence[int], count: int) -> list[int]:
    """Return the parts of `count` broken jobs: all of them, none more than twice."""
    turns = [int(p) for _ in range(MOST_OF_A_PART) for p in rng.permutation(parts)]
    return [int(part) for part in rng.permutation(turns[:count])]


def _draw_faults(
    rng: np.random.Generator, part: int, used: Collection[str], count: int
) -> tuple[Fault, ...]:
    known = [fault for fault in FAULTS if fault.part == part]
    sets = [each for each in combinations(known, count) if go_together(each)]
    new = [each for each in sets if not used & {fault.notebook for fault in each}]
    choice = new or sets
    return choice[int(rng.integers(len(choice)))]


def go_together(faults: Sequence[Fault]) -> bool:
    """Whether one job can have all these faults, and each of them shows."""
    codes = {fault.code for fault in faults}
    slots = {fault.slot for fault in faults}
    return (
        len(slots) == len(faults) == len({fault.notebook for fault in faults})
        and not any(pair <= codes for pair in HIDING)
        and not (slots & {"resume", "restore"} and "start" in slots)
    )


def plan(
    rng: np.random.Generator, number: int, part: int, faults: tuple[Fault, ...]
) -> Plan:
    """Draw the rest of a job that has these faults."""
    slots = {fault.slot for fault in faults}
    thin, anew = "thin" in slots, "start" in slots
    again = bool(slots & {"resume", "restore"})
    return Plan(
        number,
        part,
        faults,
        thinned=thin or (len(faults) < 2 and not rng.integers(4)),
        resumed=again or (not anew and bool(rng.integers(2))),
        spelling=int(rng.integers(2)),
        seed=int(rng.integers(2**31)),
    )
