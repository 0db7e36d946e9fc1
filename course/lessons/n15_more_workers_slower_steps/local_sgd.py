"""Further exercise: workers that step alone, and average their weights now and then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.lessons.n15_more_workers_slower_steps.local_steps import batches_of_workers
from course.lessons.n15_more_workers_slower_steps.local_ways import (
    RIGHT,
    Run,
    Way,
    accumulated,
    each_time,
    sending,
)
from course.lessons.n15_more_workers_slower_steps.micro_batches import train_stages

KINDS = ((7, 3), (6, 2), (5, 4))  # batches of a worker, and after how many they average


@dataclass(frozen=True, eq=False)
class Case:
    """Some runs of two workers."""

    runs: tuple[Run, ...]

    def __str__(self) -> str:
        told = [f"every={run.every} and {run.count} batches" for run in self.runs]
        return f"two real workers, {'; '.join(told)}"


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw rows for three runs, in one of which steps are left at the end."""
    return [
        Case(
            tuple(
                Run(batches_of_workers(count, int(rng.integers(1000))), every)
                for count, every in KINDS
            )
        )
    ]


def observe(step: Callable, case: Case) -> Observation:
    """Run them in two real workers."""
    weights, messages = train_stages(
        step, [run.batches for run in case.runs], [run.every for run in case.runs]
    )
    return Observation(weights, {"messages": messages})


def _by(way: Way, case: Case) -> Observation:
    weights, messages = zip(*map(way, case.runs), strict=True)
    return Observation(np.array(weights), {"messages": messages})


def compare(case: Case, got: Observation, truth: Observation) -> Difference:
    """Say messages and weights of the first run that is wrong."""
    wrong = np.abs(got.values - truth.values).max(axis=(1, 2)) > 1e-5
    counts = zip(got.counts["messages"], truth.counts["messages"], strict=True)
    first = int(np.argmax(wrong | np.array([a != b for a, b in counts])))
    run = case.runs[first]
    return Difference(
        f"With every={run.every} and {run.count} batches, {_said(got, first)}.",
        f"Expected {_said(truth, first)}.",
    )


def _said(found: Observation, run: int) -> str:
    ends = [f"({w[0]:.4f}, {w[1]:.4f})" for w in found.values[run]]
    count = found.counts["messages"][run]
    return (
        f"{count} message{'s' * (count != 1)}, and at the end w {ends[0]} on worker 0 "
        f"and {ends[1]} on worker 1"
    )


def _mistake(code: str, way: Way, cause: str) -> Mistake:
    return Mistake(code, cause, lambda case: _by(way, case))


def _always(number: int, run: Run) -> bool:
    return True


def _sum(values: np.ndarray) -> np.ndarray:
    return values.sum(axis=0)


MY_LOCAL_SGD = Exercise(
    name="15/my_local_sgd",
    cases=draw,
    observe=observe,
    expect=lambda case: _by(RIGHT, case),
    compare=compare,
    mistakes=(
        _mistake(
            "every_step",
            sending(_always),
            "the weights are averaged after every step: as many messages as before.",
        ),
        _mistake(
            "counted_from_0",
            sending(lambda number, run: (number - 1) % run.every == 0),
            "the steps are counted from 0, so that the weights are averaged after the "
            "FIRST step, and then after each `every` more.",
        ),
        _mistake(
            "before_the_step",
            sending(
                lambda number, run: (number - 1) % run.every == 0, what="weights before"
            ),
            "the weights are averaged before the step, and not after it: the first "
            "message sends equal weights.",
        ),
        _mistake(
            "before_step_every",
            sending(each_time, what="weights before"),
            "the weights are averaged before step `every`, and not after it.",
        ),
        _mistake(
            "first_round_longer",
            sending(lambda number, run: number > 1 and number % run.every == 1),
            "the steps are counted from 0: the first message comes one step too late.",
        ),
        _mistake(
            "always_three",
            sending(lambda number, run: number % KINDS[0][1] == 0),
            "the weights are averaged after every third step, whatever `every` is.",
        ),
        _mistake(
            "from_every_on",
            sending(lambda number, run: number >= run.every),
            "from step `every` on, the weights are averaged after each step: count "
            "anew, or ask for the remainder.",
        ),
        _mistake(
            "sent_in_each",
            lambda run: (RIGHT(run)[0], run.count),
            "the weights are right, but a message goes in each step: tf.where, or an "
            "if around the assignment only, computes the mean in all of them. `every` "
            "and the number of a step are Python's: an if may stand around both.",
        ),
        _mistake(
            "accumulated",
            accumulated,
            "gradients are collected, and one step is made of them, as in Further 1. "
            "Here each worker steps on its own, for each batch.",
        ),
        _mistake(
            "at_the_end_too",
            sending(lambda number, run: each_time(number, run) or number == run.count),
            "the weights are averaged at the end, too, where the last steps are fewer "
            "than `every`.",
        ),
        _mistake(
            "at_the_end_only",
            sending(lambda number, run: number == run.count),
            "the weights are averaged once, after the last step.",
        ),
        _mistake(
            "after_the_first_round_only",
            sending(lambda number, run: number == run.every),
            "the weights are averaged only once, after step `every`: the counter is "
            "compared, and never set back.",
        ),
        _mistake(
            "never",
            sending(lambda number, run: False),
            "the weights are never averaged: the workers train two models.",
        ),
        _mistake(
            "mean_thrown_away",
            sending(each_time, lambda w: w),
            "the mean of the weights is computed, and not assigned: the messages are "
            "sent for nothing.",
        ),
        _mistake(
            "one_step_more",
            sending(lambda number, run: number % (run.every + 1) == 0),
            "the workers make `every` + 1 steps between two messages.",
        ),
        _mistake(
            "sum",
            sending(each_time, _sum),
            "the weights are added up, not averaged: with each message they get twice "
            "as large.",
        ),
        _mistake(
            "sum_every_step",
            sending(_always, _sum),
            "the weights are added up, and after every step.",
        ),
        _mistake(
            "gradients_summed",
            sending(_always, _sum, "gradients"),
            "the gradients are added up over the workers in every step. Here the "
            "workers step alone, and average weights.",
        ),
        _mistake(
            "gradients_now_and_then",
            sending(each_time, what="gradients"),
            "the gradients are averaged in some steps, and the weights never: the "
            "workers stay as far apart as they have come.",
        ),
    ),
    right="Two real workers have the weights of two devices that step alone and "
    "average, with one message after so many steps as asked.",
)
