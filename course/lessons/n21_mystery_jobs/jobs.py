"""Jobs without a label: run them, and keep what was found out about them."""

from __future__ import annotations

import contextlib
import json
import linecache
import os
import runpy
import time
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import tensorflow as tf

from course.lessons.n21_mystery_jobs.beside import environment_text, folder_text
from course.lessons.n21_mystery_jobs.job_record import JobRecord, Task, keeps
from course.lessons.n21_mystery_jobs.job_views import view
from course.lessons.n21_mystery_jobs.ledger import Ledger
from course.lessons.n21_mystery_jobs.looks import LOOKS, offered
from course.lessons.n21_mystery_jobs.plans import JOBS, PARTS, Plan, draw_plans
from course.lessons.n21_mystery_jobs.programs.program import Program
from course.lessons.n21_mystery_jobs.sums import sums
from course.lessons.n21_mystery_jobs.tasks import draw_task
from course.lessons.n21_mystery_jobs.watched_job import watch_job
from course.lessons.n21_mystery_jobs.watched_workers import watch_workers
from course.pictures.picture import show
from course.runs.devices import mirrored, virtual_devices

DEVICES = 4
_composed: dict[str, Mystery] = {}


class MysteryJob:
    """One job: what a person reports of it, and what it is to train.

    number: from 1.
    report: what a person says who met it.
    ledger: where it is noted what its looks, and wrong names for it, have cost.
    """

    def __init__(self, plan: Plan, ledger: Ledger) -> None:
        self._plan, self.number, self.report = plan, plan.number, plan.report
        self.ledger = ledger
        self.named: frozenset[str] | None = None  # what the learner said last

    def __repr__(self) -> str:
        return f"job {self.number}: {self.task}"

    @cached_property
    def task(self) -> Task:
        """What it is to train; the same for a seed."""
        return draw_task(np.random.default_rng(self._plan.seed), self._plan)

    @cached_property
    def record(self) -> JobRecord:
        """What the shipped job did on its task."""
        return self.run(runnable(self._plan.program()))

    @property
    def looks(self) -> tuple[str, ...]:
        """The names of the looks that there are."""
        return offered(self._plan.kind)

    def look(self, name: str, *, of: Callable | None = None) -> None:
        """Show one look, and pay for it, once.

        of: a repair to look at instead, which is run anew, and paid for each time.

        Raises:
            ValueError: there is no such look.
            StepFailed: the repair stopped with an error.
        """
        if name not in self.looks:
            raise ValueError(f"job {self.number} has {', '.join(self.looks)}")
        picture = None
        if LOOKS[name].columns:
            picture = view(self.record if of is None else self.run(of), name)
            show(picture)
        else:
            text = folder_text if name == "folder" else environment_text
            print(text(self._plan.setting, self.task))
        cost = self.ledger.pay(self.number, name, own=of is not None)
        spent = self.ledger.spent(self.number)
        told = f"Paid now: {cost}; for this job: {spent} coins."
        if picture is None:
            print(told)
        else:
            show(replace(picture, sentence=told), as_text=True)

    def run(self, function: Callable, task: Task | None = None) -> JobRecord:
        """Run `function` in this job's place, and return what it did.

        task: what it is to train; this job's by default.

        Raises:
            StepFailed: it stopped with an error; says where, and why.
        """
        task = self.task if task is None else task
        if task.kind == "workers":
            return watch_workers(function, task, self._plan.setting)
        devices = virtual_devices(DEVICES)[: task.parts]
        return watch_job(function, task, self._plan.setting, devices)


def runnable(program: Program) -> Callable:
    """Return a job as a function, with what the notebook gives it."""
    import keras  # not above: workers import this file, and Keras begins to run things

    module = types.ModuleType("__main__")  # as a notebook's: sent to workers whole
    known = {each.__name__: each for each in (contextlib, json, os, runpy, time)}
    known |= {"np": np, "tf": tf, "keras": keras}
    known |= {"keeps": keeps, "sums": sums, "mirrored": mirrored}
    module.__dict__.update(known)
    code, file = program.whole("job"), f"<job {id(module)}>"
    # AutoGraph, and a worker, look the source up
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    exec(compile(code, file, "exec"), module.__dict__)
    return module.__dict__["job"]


class Mystery(Sequence[MysteryJob]):
    """Jobs composed from a seed; `jobs[1]` is the first.

    label: what the names of its exercises begin with.
    """

    def __init__(self, seed: int, plans: Sequence[Plan], label: str) -> None:
        self.seed, self.label = seed, label
        ledger = Ledger(label, seed)
        self._jobs = tuple(MysteryJob(plan, ledger) for plan in plans)

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
    plans = draw_plans(seed, parts, jobs)
    practice = "-".join(["practice", *map(str, sorted(set(parts))), str(seed)])
    label = "21" if whole else practice
    made = _composed.setdefault(label, Mystery(seed, plans, label))
    if (made.seed, len(made)) != (seed, jobs):
        raise ValueError(
            f"this kernel has {len(made)} jobs of seed {made.seed}, which are judged; "
            f"restart the kernel (Kernel > Restart Kernel) for {jobs} of seed {seed}"
        )
    return made


def composed() -> tuple[Mystery, ...]:
    """Return all jobs that were composed in this process."""
    return tuple(_composed.values())


def plan_of(job: MysteryJob) -> Plan:
    """What a job was composed from: its faults, and so what is asked for."""
    return job._plan
