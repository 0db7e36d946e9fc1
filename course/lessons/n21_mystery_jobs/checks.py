"""The three checks of a mystery job: its name, where it first shows, its repair.

None of them says what the failure is called. A wrong name costs more than none: it
takes the points of place and repair with it. So whoever names a failure in a healthy
job gets nothing for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from course.checks.exercises import OwnCheck
from course.checks.verdicts import Outcome, Verdict
from course.lessons.n21_mystery_jobs.composing import dossier_of, situation_of
from course.lessons.n21_mystery_jobs.findings import what_is_wrong
from course.lessons.n21_mystery_jobs.job_record import JobRecord, Task
from course.lessons.n21_mystery_jobs.job_signs import Sign, first_sign, step_name
from course.lessons.n21_mystery_jobs.jobs import Mystery, MysteryJob, plan_of
from course.lessons.n21_mystery_jobs.tasks import draw_task
from course.lessons.n21_mystery_jobs.trials import (
    NameTrial,
    PlaceTrial,
    RepairTrial,
)

NEAR = 0.02  # of a number that is read from the table, beside its size


class NameCheck(OwnCheck):
    """Is this the set of notebooks that name the job's faults?"""

    def __init__(self, mystery: Mystery, job: MysteryJob) -> None:
        self.job, self.name = job, f"{mystery.label}/my_name_{job.number}"

    def trial(self, seed) -> NameTrial:
        """Return what reads the name."""
        return NameTrial(self.name)

    def observe(self, answer, seed, *, named, shipped) -> dict:
        """Read the name, and keep it."""
        seen = super().observe(answer, seed, named=named, shipped=shipped)
        if "names" in seen:
            self.job.named = frozenset(seen["names"])
        return seen

    def judge(self, seen, seed) -> Verdict:
        """Say RIGHT or WRONG, and nothing else."""
        if not seen:
            return _not_attempted(
                self.name,
                seed,
                "Not enough seen yet: that costs nothing, a wrong name does. Write the "
                'number of the notebook that names the failure, such as {"02"}; two '
                "where there are two; set() if the job is healthy.",
            )
        if "unclear" in seen:
            return _of_words(self.name, Outcome.CRASHED, seed, seen["unclear"])
        if frozenset(seen["names"]) in _accepted(self.job):
            said = "That is its name." if seen["names"] else "It is healthy."
            return _of_words(self.name, Outcome.RIGHT, seed, said)
        line = (
            "That is not what this job has, or not all of it, or too much. As long as "
            "it stands, place and repair count for nothing."
        )
        costs = self.job.ledger.misnamed(self.job.number, seen["names"])
        return replace(_of_words(self.name, Outcome.WRONG, seed, line), costs=costs)


class PlaceCheck(OwnCheck):
    """Is this the first cell of the job's table that is not what it should be?"""

    def __init__(self, mystery: Mystery, job: MysteryJob) -> None:
        self.job, self.name = job, f"{mystery.label}/my_place_{job.number}"

    def prepare(self) -> None:
        """Run the shipped job."""
        _ = self.job.record

    def trial(self, seed) -> PlaceTrial:
        """Return what reads the place."""
        return PlaceTrial(self.name)

    def judge(self, seen, seed) -> Verdict:
        """Compare with the record of the shipped code, run anew."""
        if not seen:
            return _not_attempted(
                self.name,
                seed,
                "Write (step, column, number), as its looks show it, or None if "
                "nothing in them is wrong.",
            )
        if "unclear" in seen:
            return _of_words(self.name, Outcome.CRASHED, seed, seen["unclear"])
        place = seen["place"]
        if place is None and seen["named"] != []:
            # said of every job, so that it tells nothing about this one
            line = (
                "Nowhere: that goes with one name only, "
                f"my_name_{self.job.number} = set(), and your name is not that."
            )
            return _of_words(self.name, Outcome.WRONG, seed, line)
        if _misnamed(seen["named"], self.job):
            line = (
                f"Your name for this job, my_name_{self.job.number}, is wrong, so its "
                'place counts for nothing. "not enough seen yet" would cost nothing.'
            )
            return _of_words(self.name, Outcome.WRONG, seed, line)
        if _fits(place, first_sign(self.job.record)):
            said = "There it shows first." if place else "Nothing shows anywhere."
            return _of_words(self.name, Outcome.RIGHT, seed, said)
        line = (
            f"{_told(place)}: that is not where this job first does what it should "
            "not. Look for the earliest step and, in it, for the column that comes "
            "first in the table of looks."
        )
        return _of_words(self.name, Outcome.WRONG, seed, line)


class RepairCheck(OwnCheck):
    """Does the repaired job do what one device does, on cases not seen before?"""

    def __init__(self, mystery: Mystery, job: MysteryJob) -> None:
        self.job, self.name = job, f"{mystery.label}/my_job_{job.number}"

    def trial(self, seed) -> RepairTrial:
        """Return what runs it on two cases."""
        plan = plan_of(self.job)
        drawn = [situation_of(plan, task) for task in cases(self.job, seed)]
        return RepairTrial(self.name, dossier_of(plan), drawn)

    def observe(self, answer, seed, *, named, shipped) -> dict:
        """Run the job and record it, unless its name is known to be wrong."""
        trial = self.trial(seed)
        seen = trial.read(answer, named=named, shipped=shipped)
        if "kind" not in seen and _misnamed(seen["named"], self.job):
            return seen
        return trial.observe(answer, named=named, shipped=shipped)

    def judge(self, seen, seed) -> Verdict:
        """Look for a first sign in each record."""
        short = self.name.split("/")[1]
        if "kind" in seen:
            line = f"check got {seen['kind']} instead of the function {short}."
            return Verdict(self.name, Outcome.CRASHED, seed, (line,))
        if seen["shipped"] and seen["named"] != []:
            return _not_attempted(
                self.name,
                seed,
                f"{short} is still as it was shipped. Repair it; or, if it is healthy, "
                f"leave it and say so: my_name_{self.job.number} = set().",
            )
        if _misnamed(seen["named"], self.job):
            line = (
                f"Your name for this job, my_name_{self.job.number}, is wrong. A "
                "repair is run under the right name, or while there is none."
            )
            return _wrong(self.name, seed, line)
        tasks = cases(self.job, seed)
        for case, data in zip(tasks, seen["records"], strict=False):
            wrong = what_is_wrong(JobRecord.of(case, data))
            if wrong:
                told = _wrong(self.name, seed, f"Called with {case}.", wrong)
                return replace(told, costs=self.job.ledger.failed(self.job.number))
        if "stopped" in seen:
            outcome = Outcome.NO_VERDICT if seen["busy"] else Outcome.CRASHED
            lines = (f"Called with {tasks[len(seen['records'])]}.", *seen["stopped"])
            return Verdict(self.name, outcome, seed, lines)
        if len(seen["records"]) < len(tasks):
            raise ValueError(f"{self.name}: not every case was observed.")
        told = "; ".join(map(str, tasks))
        lines = (
            f"It does what one device does, and shares out the rows. Cases: {told}.",
        )
        return Verdict(self.name, Outcome.RIGHT, seed, lines)


def checks_of(mystery: Mystery) -> Iterator[OwnCheck]:
    """Return all checks of these jobs."""
    for job in mystery:
        for kind in (NameCheck, PlaceCheck, RepairCheck):
            yield kind(mystery, job)


def cases(job: MysteryJob, seed: int) -> list[Task]:
    """Draw two tasks of the job's kind; no job is checked on its own."""
    rng = np.random.default_rng([seed, job.number])
    return [draw_task(rng, plan_of(job), replicas) for replicas in (4, 3)]


def _accepted(job: MysteryJob) -> list[frozenset[str]]:
    """Return the sets of notebooks that name a job's faults."""
    sets = [frozenset()]
    for fault in plan_of(job).faults:
        sets = [s | {name} for s in sets for name in (fault.notebook, *fault.also)]
    return sets


def _misnamed(named: list[str] | None, job: MysteryJob) -> bool:
    """Whether it is a name, and a wrong one; no name yet is none."""
    return named is not None and frozenset(named) not in _accepted(job)


def _fits(place: tuple[int, str, float] | None, sign: Sign | None) -> bool:
    if place is None or sign is None:
        return place is sign
    same = (place[0], place[1]) == (sign.step, sign.column)
    if math.isnan(sign.value):
        return same and math.isnan(place[2])
    return same and abs(place[2] - sign.value) <= NEAR * abs(sign.value)


def _told(place: tuple[int, str, float] | None) -> str:
    if place is None:
        return "Nowhere"
    return f"Step {step_name(place[0])}, {place[1]}, {place[2]:g}"


def _not_attempted(name: str, seed: int, sentence: str) -> Verdict:
    return _of_words(name, Outcome.NOT_ATTEMPTED, seed, sentence)


def _of_words(name: str, outcome: Outcome, seed: int, line: str) -> Verdict:
    """A verdict for which nothing was run."""
    return Verdict(name, outcome, seed, (line,), unlabelled=True, drawn=False)


def _wrong(name: str, seed: int, *lines: str) -> Verdict:
    return Verdict(name, Outcome.WRONG, seed, lines, unlabelled=True)
