"""What is predicted of six ways in which weights get their values, and what happens."""

from __future__ import annotations

import numpy as np

from course.checks.exercises import TOLERANCE
from course.lessons.n15_workers_differ_before_step_one.giving import (
    assigned_in_scope,
    drawn_by_keras,
    made_in_scope,
    other_order,
)
from course.lessons.n15_workers_differ_before_step_one.training import HALVED, MOMENTUM
from course.lessons.n15_workers_differ_before_step_one.worker_starts import (
    Start,
    Sync,
    job_of,
    start_workers,
)
from course.runs.workloads import Rows

QUESTIONS = ("Equal before step 1?", "Equal after step 20?")
WAYS = {
    "made, own numbers": Start(made_in_scope, ""),
    "made by Keras, own seeds": Start(drawn_by_keras, ""),
    "made, other order": Start(other_order, "", own=False),
    "assigned, own numbers": Start(assigned_in_scope, ""),
    "assigned, steps that halve": Start(assigned_in_scope, "", rule=HALVED),
    "made, own momentum": Start(made_in_scope, "", rule=MOMENTUM),
}


def observe_ways(sync: Sync, rows: Rows) -> dict[str, tuple[bool, bool]]:
    """Train two real workers in each of the ways.

    Returns:
        way -> whether both weights are equal on the workers, within 1e-5: before step
        1, after `sync`; and after step 20.

    Raises:
        StepFailed: a worker stopped with an error, or waits for ever; says which.
    """
    runs = start_workers(list(WAYS.values()), sync, job_of(rows))
    found = {}
    for name, run in zip(WAYS, runs, strict=True):
        equal = np.max(run.apart(), axis=1) <= TOLERANCE
        found[name] = bool(equal[0]), bool(equal[-1])
    return found
