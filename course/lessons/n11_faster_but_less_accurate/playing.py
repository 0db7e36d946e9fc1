"""This notebook's instrument: which training of one device is a run on replicas?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from course.lessons.n11_faster_but_less_accurate.normalised import train_normalised
from course.lessons.n11_faster_but_less_accurate.run_and_step import draw
from course.lessons.n11_faster_but_less_accurate.shared_batches import (
    Plan,
    Planner,
    Training,
    plan_of,
    train_alone,
    train_by,
)
from course.lessons.n11_faster_but_less_accurate.step_costs import Costs, measure_step
from course.pictures.picture import Picture
from course.runs.devices import virtual_devices
from course.runs.recording import Recording
from course.runs.replica_exercises import DEVICES
from course.runs.spans import Timeline
from course.runs.workloads import LEARNING_RATE, regression
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice

ROW = 5  # ms of a step, for each row of a replica
ROWS = regression(64)
EQUAL = 1e-5


@dataclass(frozen=True, eq=False)
class Played:
    """A run on replicas, the runs of one device beside it, and one of its steps.

    settings: the knobs that the label does not show.
    alone: the training it was made from, then the one with its batch and rate.
    normalised: all of them go through a BatchNormalization layer.
    """

    label: str
    settings: str
    run: Recording
    alone: tuple[Recording, ...]
    step: Timeline
    share: int
    normalised: bool

    @property
    def equals(self) -> Recording | None:
        """The run of one device whose weights it has after every step."""
        for one in self.alone:
            same = self.run.steps == one.steps
            if same and np.abs(self.run.copies - one.copies).max() < EQUAL:
                return one
        return None

    @property
    def verdict(self) -> str:
        """Which training it is, in words."""
        if self.equals is None:
            return "equals no run of one device"
        return f"equals {self.equals.label} after every step"


def which_training_is_it(planner: Planner) -> None:
    """Show a run on replicas beside runs of one device, for their settings to turn.

    planner: `planner(training, replicas)`; once the exercise is solved, the learner's
        own one can be chosen as well.
    """
    layers = {"none": False, "BatchNormalization": True}
    instrument(
        [
            Choice("replicas", "replicas", {str(n): n for n in (1, 2, 4)}, 4),
            Choice("batch", "training.batch", {str(n): n for n in (4, 8, 16)}, 8),
            Choice("rate", "rate", {str(r): r for r in (0.1, 0.2, 0.4, 0.8)}, 0.1),
            Choice("normalised", "layer", layers, False),
            Choice("fixed", "fixed, ms", {str(n): n for n in (0, 20, 60)}, 20),
            Choice("exchange", "exchange, ms", {str(n): n for n in (0, 15, 60)}, 15),
            Choice(
                "planner", "plan", {planner.__name__: planner}, planner, "11/my_plan"
            ),
        ],
        run,
        picture,
        describe_run,
        idle=idle_knobs,
    )


def run(
    replicas: int,
    batch: int,
    rate: float,
    normalised: bool,
    fixed: int,
    exchange: int,
    planner: Planner,
) -> Played:
    """Train by the plan, and one device beside it; measure a step with waits."""
    training = Training(len(ROWS), batch, rate)
    plan = plan_of(planner, training, replicas)
    total, share = sum(plan.shares), max(plan.shares)
    trains = train_normalised if normalised else train_by
    devices = virtual_devices(DEVICES)
    each = " + ".join(map(str, plan.shares))
    compared = dict.fromkeys(((batch, LEARNING_RATE), (total, plan.rate)))
    return Played(
        f"{replicas} replica{'s' * (replicas > 1)} ({each} rows), rate {plan.rate:g}",
        f"{planner.__name__}, training.batch {batch}, fixed {fixed} ms, "
        f"exchange {exchange} ms",
        trains(plan, ROWS, devices[:replicas]),
        tuple(_alone(*each, normalised) for each in compared),
        _step(replicas, share, fixed, exchange),
        share,
        normalised,
    )


@cache
def _alone(batch: int, rate: float, normalised: bool) -> Recording:
    label = f"one device, batch {batch}, rate {rate:g}"
    steps = Training(len(ROWS), batch).steps
    if not normalised:
        return train_alone(ROWS, batch, [rate] * steps, label)
    plan = Plan((batch,), rate, steps)
    return train_normalised(plan, ROWS, virtual_devices(DEVICES)[:1], label)


@cache
def _step(replicas: int, share: int, fixed: int, exchange: int) -> Timeline:
    devices = virtual_devices(DEVICES)
    lanes = [*devices[:replicas], "exchange"]
    costs = Costs(fixed, ROW, exchange)
    return measure_step(costs, share * replicas, devices[:replicas], lanes)


def picture(now: Played, before: Played | None) -> Picture:
    """Draw the loss of a run and of one device; beside it, how long a step takes."""
    return draw(now, before if before and _alike(now, before) else None, ROWS)


def _alike(now: Played, before: Played) -> bool:
    return now.normalised == before.normalised


def describe_run(now: Played) -> str:
    """Return one line: all settings, which training it is, and how fast."""
    layer = ", BatchNormalization" * now.normalised
    milliseconds = f"{1000 * now.step.seconds:.0f} ms a step"
    return f"{now.label}{layer}, {now.settings}: {now.verdict}; {milliseconds}"


def idle_knobs(replicas: int, **others: object) -> dict[str, str]:
    """Return the knobs that change nothing now, each with the reason."""
    return {"exchange": "One replica exchanges nothing."} if replicas == 1 else {}
