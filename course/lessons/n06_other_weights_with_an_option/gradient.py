"""Core exercise: check and clip the gradient where one device would do it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.checks.exercises import TOLERANCE, Difference, Exercise, Observation
from course.checks.findings import drawn_apart
from course.lessons.n06_other_weights_with_an_option.training import (
    train_alone,
    train_with_gradient,
)
from course.lessons.n06_other_weights_with_an_option.wrong_gradient import (
    FULL,
    RULES,
    applying,
    right,
)
from course.runs.devices import virtual_devices
from course.runs.recording import Recording
from course.runs.replica_exercises import (
    DEVICES,
    compare_runs,
    observation,
    rule_mistake,
)
from course.runs.update_rules import (
    Job,
    follow,
)
from course.runs.workloads import Rows, regression

BATCH, SMALL = FULL, 0.3  # targets so small that few gradients are clipped
# its loss is finite, its gradient (-inf, -20); no other row's is as large as 20
HUGE = np.float32([1e30, 1e-9])


def draw(rng: np.random.Generator) -> list[Job]:
    """Draw runs in which the limit matters in some steps, until all mistakes differ."""
    return drawn_apart(MY_GRADIENT.name, lambda: _draw(rng), _results, _apart)


def _draw(rng: np.random.Generator) -> list[Job]:
    """Runs with uneven steps; from the third on, one row of a step is not finite.

    Of the gradient of that row, one component is infinite, or both are NaN. The first
    two name what is wrong with the clip, whatever becomes of the check.
    """
    jobs = [_job(rng, 19, 4, SMALL, steps=6), _job(rng, 22, 3, 1.0, steps=4)]
    for rows, replicas, bad, size in (
        (22, 2, 1, 1.0),
        (19, 4, 3, SMALL),
        (24, 2, 0, 1.0),
    ):
        # HUGE stands in the first step and comes once: at other weights, it is too
        # large for the arithmetic of a clip as well
        job = _job(rng, rows, replicas, size, steps=6 if replicas == 4 else 3)
        own = BATCH // replicas
        at = bad * own + int(rng.integers(own))  # on replica `bad`
        if replicas == 2:
            job.rows.x[at], job.rows.y[at] = HUGE if bad else HUGE[::-1], 1e10
        else:
            job.rows.y[BATCH + at] = np.nan
        jobs.append(job)
    return jobs


def _job(
    rng: np.random.Generator, rows: int, replicas: int, size: float, steps: int
) -> Job:
    data = regression(rows, int(rng.integers(1000)))
    y = np.float32(size) * data.y
    return Job(Rows(data.ids, data.x.copy(), y), BATCH, replicas, steps)


def _results(jobs: list[Job]) -> list[list[Observation]]:
    rules = [applying(right), *map(applying, RULES)]
    return [[observation(follow(rule, job)) for job in jobs] for rule in rules]


def _apart(first: list[Observation], second: list[Observation]) -> bool:
    pairs = zip(first, second, strict=True)
    return any(not a.agrees(b, 100 * TOLERANCE) for a, b in pairs)


def _observe(gradient: Callable, job: Job) -> Observation:
    devices = virtual_devices(DEVICES)[: job.replicas]
    run = train_with_gradient(
        gradient, job.rows, job.batch, job.steps, devices, by_tf_data=False
    )
    return observation(run)


def _expect(job: Job) -> Observation:
    truth = train_alone(job.rows, job.batch, job.steps)
    own = follow(lambda copies, shards: copies, job)
    copies = truth.copies.repeat(job.replicas, 1)
    return observation(Recording(truth.label, copies, own.ids, own.examples))


def _compare(job: Job, got: Observation, truth: Observation) -> Difference:
    return compare_runs(job, got, truth, "one device with both rules")


MY_GRADIENT = Exercise(
    name="06/my_gradient",
    cases=draw,
    observe=_observe,
    expect=_expect,
    compare=_compare,
    mistakes=tuple(
        rule_mistake(function.__name__.strip("_"), applying(function), cause)
        for function, cause in RULES.items()
    ),
    right="It checks and clips as one device does, on two to four replicas, with "
    "different numbers of rows and with none. All replicas skip a step that is not "
    "finite.",
    locate="06/my_first_misplaced",
)
