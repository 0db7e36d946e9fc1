"""The three checks of a mystery job: its name, where it first shows, its repair.

None of them says what the failure is called. A wrong name costs more than none: it
takes the points of place and repair with it. No check is a cheaper look: each name,
place or repair that is not right costs something, whichever check reads it.
"""

from __future__ import annotations

import contextlib
import functools
import io
import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from course.checks.exercises import OwnCheck
from course.checks.failures import StepFailed
from course.checks.patience import OutOfTime, TooBusy
from course.checks.verdicts import Outcome, Verdict
from course.lessons.n21_mystery_jobs.composing import dossier_of, situation_of
from course.lessons.n21_mystery_jobs.findings import what_is_wrong
from course.lessons.n21_mystery_jobs.job_record import JobRecord, Task
from course.lessons.n21_mystery_jobs.job_signs import (
    Sign,
    alike,
    first_sign,
    step_name,
)
from course.lessons.n21_mystery_jobs.jobs import (
    Mystery,
    MysteryJob,
    plan_of,
    record_of,
)
from course.lessons.n21_mystery_jobs.looks import AGAIN, FAILED, MISPLACED, coins
from course.lessons.n21_mystery_jobs.runnable import runnable
from course.lessons.n21_mystery_jobs.tasks import draw_task
from course.lessons.n21_mystery_jobs.trials import (
    NameTrial,
    PlaceTrial,
    RepairTrial,
    is_readable,
)

FREE = "This cost nothing."
NEAR = 0.02  # of a number that is read from the table, beside its size
OPEN = (
    "While the name is open, the check says no more than this. Your code ran inside "
    "the job, where it can read everything, so you have paid for all looks at this "
    f"job: use them. A repair that is not right costs {coins(FAILED)} more."
)


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
                "The name is still open, which costs nothing; a wrong name costs a "
                'point. Write the number of the notebook, such as {"02"}; two numbers '
                "for two faults; set() if the job is healthy.",
            )
        if "unclear" in seen:
            return _unclear(self.name, seed, seen)
        costs = _costs_of_name(self.job, seen["names"])
        if frozenset(seen["names"]) in _accepted(self.job):
            said = "That is its name." if seen["names"] else "It is healthy."
            costs |= self.job.ledger.solving(self.job.number, "name")
            right = _of_words(self.name, Outcome.RIGHT, seed, said)
            return replace(right, costs=costs)
        line = (
            "That is wrong, incomplete, or too much. While it stands, place and repair "
            f"get no points. Another name costs {coins(AGAIN)}, and a point if it is "
            "wrong."
        )
        return replace(_of_words(self.name, Outcome.WRONG, seed, line), costs=costs)


class PlaceCheck(OwnCheck):
    """Is this the first cell of the job's table that is not what it should be?"""

    def __init__(self, mystery: Mystery, job: MysteryJob) -> None:
        self.job, self.name = job, f"{mystery.label}/my_place_{job.number}"

    def prepare(self) -> None:
        """Run the shipped job."""
        record_of(self.job)

    def trial(self, seed) -> PlaceTrial:
        """Return what reads the place."""
        return PlaceTrial(self.name)

    def observe(self, answer, seed, *, named, shipped) -> dict:
        """Read the place; under an open name, all looks are paid for first.

        Otherwise a place that is guessed would be the cheapest look.
        """
        seen = super().observe(answer, seed, named=named, shipped=shipped)
        if seen.get("place") is not None and seen["named"] is None:
            self.job.ledger.pay_for_all(self.job.number, self.job.looks)
        return seen

    def judge(self, seen, seed) -> Verdict:
        """Compare with the record of the shipped code, run anew."""
        if not seen:
            return _not_attempted(
                self.name,
                seed,
                "Write (step, column, number) as the looks show it, or None if no "
                "number in them is wrong.",
            )
        if "unclear" in seen:
            return _unclear(self.name, seed, seen)
        place = seen["place"]
        if place is None and seen["named"] != []:
            # said of every job, so that it tells nothing about this one
            line = (
                "None is right for a healthy job only. Your name for this job is not "
                f"my_name_{self.job.number} = set()."
            )
            return _of_words(self.name, Outcome.WRONG, seed, line)
        if _misnamed(seen["named"], self.job):
            line = (
                f"Your name for this job, my_name_{self.job.number}, is wrong, so its "
                'place gets no points. "not enough seen yet" leaves the name open.'
            )
            costs = _costs_of_name(self.job, seen["named"])
            wrong = _of_words(self.name, Outcome.WRONG, seed, line)
            return replace(wrong, costs=costs)
        named = _costs_of_name(self.job, seen["named"])
        if _fits(place, first_sign(record_of(self.job))):
            said = "It first shows there." if place else "It shows nowhere."
            costs = named | self.job.ledger.solving(self.job.number, "place")
            right = _of_words(self.name, Outcome.RIGHT, seed, said)
            return replace(right, costs=costs)
        line = (
            f"{_described(place)}: it does not first show there. Look for the earliest "
            "step with a wrong number and, in that step, for the column that stands "
            f"first in the table of looks. A wrong place costs {coins(MISPLACED)}."
        )
        costs = named | self.job.ledger.misplaced(self.job.number, place)
        return replace(_of_words(self.name, Outcome.WRONG, seed, line), costs=costs)


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
        """Run the job and record it, unless its name is known to be wrong.

        While the name is open, all looks are paid for first: what runs inside the job
        can read everything there, and keep it.
        """
        trial = self.trial(seed)
        seen = trial.read(answer, named=named, shipped=shipped)
        if not is_readable(seen) or _unchanged(seen):
            return seen
        if _misnamed(seen["named"], self.job):
            return seen
        if seen["named"] is None:
            self.job.ledger.pay_for_all(self.job.number, self.job.looks)
        return trial.observe(answer, named=named, shipped=shipped)

    def judge(self, seen, seed) -> Verdict:
        """Look for a first sign in each record; say nothing of it without a name."""
        short, k = self.name.split("/")[1], self.job.number
        if "kind" in seen:
            line = f"check got {seen['kind']} instead of the function {short}."
            return Verdict(self.name, Outcome.WRONG, seed, (line,), unlabelled=True)
        if "unclear" in seen:
            return _unclear(self.name, seed, seen)
        if _unchanged(seen):
            return self._as_shipped(seed)
        if _misnamed(seen["named"], self.job):
            line = (
                f"Your name for this job, my_name_{k}, is wrong. The check runs a "
                "repair if the name is right or still open."
            )
            costs = _costs_of_name(self.job, seen["named"])
            return replace(_wrong(self.name, seed, line), costs=costs)
        named = _costs_of_name(self.job, seen["named"])
        try:
            verdict = self._of_run(seen, seed)
        except TooBusy as busy:
            lines = busy.sentences
            return Verdict(self.name, Outcome.NO_VERDICT, seed, lines)
        if verdict.outcome is Outcome.RIGHT:
            return replace(verdict, costs=named | self.job.ledger.solving(k, "job"))
        return replace(verdict, costs=named | self.job.ledger.failed(k))

    def _of_run(self, seen, seed) -> Verdict:
        """Judge a repair that ran; while its name is open, by its result alone."""
        tasks, is_open = cases(self.job, seed), seen["named"] is None
        records = [
            JobRecord.of(case, data)
            for case, data in zip(tasks, seen["records"], strict=False)
        ]
        wrong = [what_is_wrong(record) for record in records]
        if "stopped" in seen and (is_open or not any(wrong)):
            outcome = Outcome.NO_VERDICT if seen["busy"] else Outcome.CRASHED
            called = () if is_open else (f"Called with {tasks[len(records)]}.",)
            lines = (*called, *seen["stopped"], *((OPEN,) if is_open else ()))
            return Verdict(self.name, outcome, seed, lines)
        if "stopped" not in seen and len(records) < len(tasks):
            raise ValueError(f"{self.name}: not every case was observed.")
        # asked of every open job, so that the seconds do not tell one from another
        same = (is_open or any(wrong)) and self._like_shipped(records, seed)
        if same and seen["named"] != []:
            return self._as_shipped(seed, ran=True, is_open=is_open)
        if not any(wrong):
            cases_told = "; ".join(map(str, tasks))
            line = "It does what one device does, and shares out the rows."
            lines = (f"{line} Cases: {cases_told}.",)
            return Verdict(self.name, Outcome.RIGHT, seed, lines)
        if is_open:
            return _wrong(self.name, seed, "Not right yet.", OPEN)
        case, sentence = next(
            each for each in zip(tasks, wrong, strict=False) if each[1]
        )
        return _wrong(self.name, seed, f"Called with {case}.", sentence)

    def _like_shipped(self, records: list[JobRecord], seed: int) -> bool:
        """Whether these records are those of the shipped job, or both are healthy."""
        shipped = _shipped_records(self.job, seed)
        if len(shipped) != len(records):
            return False
        healthy = not any(map(what_is_wrong, (*records, *shipped)))
        return healthy or all(map(alike, records, shipped))

    def _as_shipped(self, seed: int, *, ran=False, is_open=False) -> Verdict:
        short, k = self.name.split("/")[1], self.job.number
        does = "gives the same result as the shipped job" if ran else "is as shipped"
        line = (
            f"{short} {does}, so nothing is repaired yet. If the job is healthy, leave "
            f"it unchanged and write my_name_{k} = set()."
        )
        verdict = _not_attempted(self.name, seed, line)
        return replace(verdict, lines=(line, OPEN)) if is_open else verdict


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


@functools.lru_cache(maxsize=32)  # many answers are held against the same runs
def _shipped_records(job: MysteryJob, seed: int) -> tuple[JobRecord, ...]:
    """Return what the shipped job does on the cases of its repair, until it stops."""
    shipped, records = runnable(dossier_of(plan_of(job)).code), []
    with contextlib.suppress(StepFailed, OutOfTime):
        for task in cases(job, seed):
            with contextlib.redirect_stdout(io.StringIO()):
                records.append(situation_of(plan_of(job), task).run(shipped))
    return tuple(records)


def _unchanged(seen: dict) -> bool:
    """Whether it is the shipped text, which runs only where it is called healthy."""
    return seen["shipped"] and seen["named"] != []


def _costs_of_name(job: MysteryJob, names: list[str] | None) -> dict[str, int]:
    """Return what it costs that a check reads a name; an open one costs nothing."""
    if names is None:
        return {}
    right = frozenset(names) in _accepted(job)
    return job.ledger.named(job.number, names, right=right)


def _misnamed(named: list[str] | None, job: MysteryJob) -> bool:
    """Whether there is a name and it is wrong; an open name is not wrong."""
    return named is not None and frozenset(named) not in _accepted(job)


def _fits(place: tuple[int, str, float] | None, sign: Sign | None) -> bool:
    if place is None or sign is None:
        return place is sign
    same = (place[0], place[1]) == (sign.step, sign.column)
    if math.isnan(sign.value):
        return same and math.isnan(place[2])
    return same and abs(place[2] - sign.value) <= NEAR * abs(sign.value)


def _described(place: tuple[int, str, float] | None) -> str:
    if place is None:
        return "Nowhere"
    return f"Step {step_name(place[0])}, {place[1]}, {place[2]:g}"


def _not_attempted(name: str, seed: int, sentence: str) -> Verdict:
    return _of_words(name, Outcome.NOT_ATTEMPTED, seed, sentence)


def _unclear(name: str, seed: int, seen: dict) -> Verdict:
    """A verdict on a name or place that cannot be read: it costs nothing."""
    return _of_words(name, Outcome.WRONG, seed, f"{seen['unclear']} {FREE}")


def _of_words(name: str, outcome: Outcome, seed: int, line: str) -> Verdict:
    """A verdict for which nothing was run."""
    return Verdict(name, outcome, seed, (line,), unlabelled=True, drawn=False)


def _wrong(name: str, seed: int, *lines: str) -> Verdict:
    return Verdict(name, Outcome.WRONG, seed, lines, unlabelled=True)
