"""Jobs without a label: run them, and keep what was found out about them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from course.checks import handing_over
from course.lessons.n21_mystery_jobs.beside import environment_text, folder_text
from course.lessons.n21_mystery_jobs.dossiers import Dossier
from course.lessons.n21_mystery_jobs.job_record import JobRecord, Task
from course.lessons.n21_mystery_jobs.job_views import view
from course.lessons.n21_mystery_jobs.ledger import Ledger
from course.lessons.n21_mystery_jobs.looks import LOOKS, coins, offered
from course.lessons.n21_mystery_jobs.plans import JOBS, PARTS
from course.lessons.n21_mystery_jobs.runnable import runnable
from course.lessons.n21_mystery_jobs.trials import RepairTrial
from course.pictures.picture import show

if TYPE_CHECKING:
    from course.lessons.n21_mystery_jobs.plans import Plan

_composed: dict[str, Mystery] = {}


class MysteryJob:
    """One job: what a person reports of it, and what it is to train.

    number: from 1.
    report: what a person says who met it.
    ledger: notes what its looks, names, places and repairs have cost.
    """

    def __init__(
        self, dossier: Dossier, ledger: Ledger, plan: Plan | None = None
    ) -> None:
        """Make a job of what is given of it; a graded kernel has no plan."""
        self._dossier, self._plan = dossier, plan
        self.number, self.report = dossier.number, dossier.report
        self.ledger = ledger
        self.named: frozenset[str] | None = None  # what the learner said last

    def __repr__(self) -> str:
        return f"job {self.number}: {self.task}"

    @property
    def task(self) -> Task:
        """What it is to train; the same for a seed."""
        return self._dossier.shown.task

    @cached_property
    def _record(self) -> JobRecord:
        return run_in(self, runnable(self._dossier.code))

    @property
    def looks(self) -> tuple[str, ...]:
        """The names of the looks that this job has."""
        return offered(self.task.kind)

    def look(self, name: str, *, of: Callable | None = None) -> None:
        """Show one look, and pay for it, once.

        of: a repair to look at instead. It is run anew, and paid for each time. Until
            the name is right, all looks that are not bought are paid for as well:
            code that runs in the job can read everything there.

        Raises:
            ValueError: there is no such look.
            StepFailed: the repair stopped with an error.
        """
        if name not in self.looks:
            raise ValueError(f"job {self.number} has {', '.join(self.looks)}")
        record = self._record if LOOKS[name].columns and of is None else None
        # paid before anything is shown or run: an error does not make it free
        cost = 0
        if of is not None and not self.ledger.solved(self.number, "name"):
            cost = self.ledger.pay_for_all(self.number, self.looks)
        cost += self.ledger.pay(self.number, name, own=of is not None)
        paid = (
            f"You paid {coins(cost)} now, {coins(self.ledger.spent(self.number))} for "
            "this job so far."
        )
        if LOOKS[name].columns:
            picture = view(record or run_in(self, of), name)
            show(picture)
            show(replace(picture, sentence=paid), as_text=True)
            return
        text = folder_text if name == "folder" else environment_text
        print(text(self._dossier.shown))
        print(paid)


class Mystery(Sequence[MysteryJob]):
    """Jobs composed from a seed; `jobs[1]` is the first.

    label: what the names of its exercises begin with.
    """

    def __init__(self, seed: int, jobs: Sequence[MysteryJob], label: str) -> None:
        self.seed, self.label, self._jobs = seed, label, tuple(jobs)

    def __len__(self) -> int:
        return len(self._jobs)

    def __getitem__(self, number: int) -> MysteryJob:
        if not isinstance(number, int) or not 1 <= number <= len(self._jobs):
            raise IndexError(f"there are jobs 1 to {len(self._jobs)}, not {number!r}")
        return self._jobs[number - 1]

    def __iter__(self) -> Iterator[MysteryJob]:
        return iter(self._jobs)

    def __repr__(self) -> str:
        return f"{len(self)} jobs of seed {self.seed}"


def mystery(seed: int, parts: Sequence[int] = PARTS, jobs: int = JOBS) -> Mystery:
    """Compose jobs as `draw_plans` does; the checks judge these.

    Fewer jobs, or those of some parts only, are a practice: the exercises of Part 2 and
    seed 7 are called "practice-2-7/my_..." instead of "21/my_...".

    Raises:
        ValueError: seed, parts or jobs are not as `draw_plans` wants them, or this
            kernel has composed other jobs for the same exercises.
    """
    whole = set(parts) == set(PARTS) and jobs == JOBS
    practice = "-".join(["practice", *map(str, sorted(set(parts))), str(seed)])
    label = "21" if whole else practice
    if handing_over.is_wanted():
        return _handed_over(seed, label)
    # not imported above: a graded kernel has no such module
    composing = importlib.import_module(f"{__package__}.composing")
    made = composing.compose(seed, parts, jobs, label)
    made = _composed.setdefault(label, made)
    if (made.seed, len(made)) != (seed, jobs):
        raise ValueError(
            f"this kernel has {len(made)} jobs of seed {made.seed}, which are judged; "
            f"restart the kernel (Kernel > Restart Kernel) for {jobs} of seed {seed}"
        )
    return made


def _handed_over(seed: int, label: str) -> Mystery:
    """The jobs that a grader sent, whatever seed the notebook names."""
    trials = handing_over.trials().values()
    ledger = Ledger(label, seed)
    sent = [each.dossier for each in trials if isinstance(each, RepairTrial)]
    jobs = [MysteryJob(each, ledger) for each in sorted(sent, key=lambda d: d.number)]
    return Mystery(seed, jobs, label)


def composed() -> tuple[Mystery, ...]:
    """Return all jobs that were composed in this process."""
    return tuple(_composed.values())


def record_of(job: MysteryJob) -> JobRecord:
    """Return what the shipped job did on its task; it runs once."""
    return job._record


def run_in(job: MysteryJob, function: Callable) -> JobRecord:
    """Run `function` in a job's place, and return what it did.

    Raises:
        StepFailed: it stopped with an error; says where, and why.
    """
    return job._dossier.shown.run(function)


def plan_of(job: MysteryJob) -> Plan:
    """What a job was composed from: its faults, and so what is asked for.

    Raises:
        LookupError: this is a graded kernel, which has none.
    """
    if job._plan is None:
        raise LookupError("what a job has is not known where it is graded")
    return job._plan
