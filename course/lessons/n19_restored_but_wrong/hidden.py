"""Further: what can be left out of a checkpoint so that today's loss is the old one?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import tensorflow as tf

from course.checks.exercises import Exercise, Observation, shown_by
from course.lessons.n19_restored_but_wrong.jobs import Job
from course.lessons.n19_restored_but_wrong.name_sets import difference, recorded
from course.lessons.n19_restored_but_wrong.wrong_hidden import MISTAKES, hidden
from course.runs.workloads import regression

WANTED = "a set of names of the job's variables, which may be empty"
DUE = (
    "the names of those that, left out alone, leave the loss right after the restore "
    "as it was, but not all losses of the next ten steps."
)


def draw(rng: np.random.Generator) -> list[Job]:
    """Draw jobs of six optimizers at different steps."""
    optimizers = tf.keras.optimizers

    def seed() -> int:
        return int(rng.integers(1000))

    def steps() -> int:
        return int(rng.integers(12, 20))

    later = steps()
    boundary = later + int(rng.integers(4, 8))  # beyond the first steps that are tried

    def decays() -> tf.keras.optimizers.Optimizer:
        schedule = optimizers.schedules.PiecewiseConstantDecay([boundary], [0.04, 0.01])
        return optimizers.SGD(schedule)

    def averages() -> tf.keras.optimizers.Optimizer:
        return optimizers.SGD(0.03, use_ema=True)

    def momentum() -> tf.keras.optimizers.Optimizer:
        return optimizers.SGD(0.01, momentum=0.9)

    def data() -> dict:
        return {"rows": regression(22, seed())}

    in_order = "plain SGD, which takes its batches in order"
    by_hand = "plain SGD, whose learning rate was lowered by hand"
    return [
        Job("momentum", steps=steps(), make=momentum, **data()),
        Job("averaged weights", steps=steps(), make=averages, **data()),
        Job("Adam", steps=steps(), make=lambda: optimizers.Adam(0.05), **data()),
        Job("a schedule", steps=later, make=decays, **data()),
        Job(in_order, **data(), steps=steps(), make=optimizers.SGD, batch=6),
        Job(by_hand, **data(), steps=steps(), make=optimizers.SGD, by_hand=0.001),
    ]


def observe(function: Callable, case: Job) -> Observation:
    """Give the function a job at its step."""
    job = case.running()
    initial = {name: value.copy() for name, value in job.initial.items()}
    answer = function(dict(job.variables), initial, job.loss, job.step)
    return recorded(case.names, answer, WANTED)


MY_HIDDEN = Exercise(
    name="19/my_hidden",
    cases=draw,
    observe=observe,
    expect=lambda case: observe(hidden, case),
    compare=lambda case, got, truth: difference(case.names, got, truth, DUE),
    mistakes=shown_by(observe, *MISTAKES),
    right="In six jobs it found what a checkpoint may lack without a word of the loss "
    "right after the restore; in one of them, nothing.",
)
