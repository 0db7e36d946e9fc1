"""Make jobs of plans, which say what is asked for: no graded kernel has a plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from course.lessons.n21_mystery_jobs.dossiers import DEVICES, Dossier, Situation
from course.lessons.n21_mystery_jobs.job_record import Task
from course.lessons.n21_mystery_jobs.jobs import Mystery, MysteryJob
from course.lessons.n21_mystery_jobs.ledger import Ledger
from course.lessons.n21_mystery_jobs.plans import Plan, draw_plans
from course.lessons.n21_mystery_jobs.tasks import draw_task
from course.runs.devices import virtual_devices


def compose(seed: int, parts: Sequence[int], jobs: int, label: str) -> Mystery:
    """Return the jobs that `draw_plans` draws.

    Raises:
        ValueError: seed, parts or jobs are not as `draw_plans` wants them.
    """
    virtual_devices(DEVICES)  # before TensorFlow begins, to draw what is to be trained
    ledger = Ledger(label, seed)
    made = [job_of(plan, ledger) for plan in draw_plans(seed, parts, jobs)]
    return Mystery(seed, made, label)


def job_of(plan: Plan, ledger: Ledger) -> MysteryJob:
    """Return the job of a plan."""
    return MysteryJob(dossier_of(plan), ledger, plan)


def dossier_of(plan: Plan) -> Dossier:
    """Return what is known of a plan's job to whoever looks for its faults."""
    shown = situation_of(plan, draw_task(np.random.default_rng(plan.seed), plan))
    program = plan.program()
    return Dossier(
        plan.number, plan.report, shown, program.whole("job"), program.defines
    )


def situation_of(plan: Plan, task: Task) -> Situation:
    """Return a task of a plan's job, with what lies beside it then."""
    beside = plan.setting.beside(task)
    return Situation(replace(task), beside)  # without what was computed of it
