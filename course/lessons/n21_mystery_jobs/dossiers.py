"""All that whoever looks for what is wrong with a job is given: no word of what it is.

A graded kernel has no more than this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from course.lessons.n21_mystery_jobs.job_record import JobRecord, Task
from course.lessons.n21_mystery_jobs.surroundings import Surroundings
from course.lessons.n21_mystery_jobs.watched_job import watch_job
from course.lessons.n21_mystery_jobs.watched_workers import watch_workers
from course.runs.devices import virtual_devices

DEVICES = 4


@dataclass(frozen=True, repr=False)  # what lies beside a job is a look that costs
class Situation:
    """What a job is to train once, and what lies beside it then."""

    task: Task
    beside: Surroundings

    def run(self, function: Callable) -> JobRecord:
        """Run `function` as the job, and return what it did.

        Raises:
            StepFailed: it stopped with an error; says where, and why.
        """
        if self.task.kind == "workers":
            return watch_workers(function, self.task, self.beside)
        devices = virtual_devices(DEVICES)[: self.task.parts]
        return watch_job(function, self.task, self.beside, devices)


@dataclass(frozen=True)
class Dossier:
    """One job as it is brought.

    number: from 1.
    report: what a person says who met it.
    shown: the situation that the notebook shows.
    code: the shipped program, whose function is called `job`.
    helpers: the names that the cells before the job define.
    """

    number: int
    report: str
    shown: Situation
    code: str
    helpers: Sequence[str]
