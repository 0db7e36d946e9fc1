"""Small training jobs that really ran, as lists of events, for Locate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from course.checks.places import Found
from course.lessons.n09_four_devices_speed_of_one.job_events import Event, run_job
from course.runs.devices import virtual_devices
from course.runs.replica_exercises import DEVICES

STEP = "loss = train_step(batch)"
IN_TURN = "loss = strategy.reduce('SUM', strategy.run(step, args=(batch,)), axis=None)"
ONCE = "half = scale(loss, 0.5)"
RATE = "small = scale(loss, 1 / (i + 3))"
TENSOR = "small = scale(loss, tf.constant(1 / (i + 3)))"
REMADE = "double = tf.function(lambda v: 2 * v, autograph=False)(loss)"
BOTH = "small = float(scale(loss, 1 / (i + 3))) + float(loss)"
KEEP = "history.append(loss)"
VALUE = "loss = weights[i]"
READ = "history.append(float(loss))"


@dataclass(frozen=True)
class Job:
    """A job that ran: its lines and its events."""

    label: str
    lines: tuple[str, ...]
    steps: int
    events: tuple[Event, ...]

    def __str__(self) -> str:
        return f"{self.label} ({self.steps} steps, {len(self.events)} events)"


def draw(rng: np.random.Generator) -> list[Job]:
    """Draw jobs and run them: each has another costly line, and one has none."""
    devices = virtual_devices(DEVICES)[:2]
    many = int(rng.integers(2, 4))

    def job(label: str, *lines: str, ahead: str = "number = i + 1") -> Job:
        """The first lines stay in place, the others follow in a drawn order."""
        steps = int(rng.integers(5, 8))
        rest = [lines[1:][k] for k in rng.permutation(len(lines) - 1)]
        order = (ahead, lines[0], *rest)
        return Job(label, order, steps, tuple(run_job(order, devices, steps)))

    return [
        job("a job that reads", STEP, READ, ONCE, first(9), at(2, _reads(9))),
        job(
            "a job that traces",
            STEP,
            RATE,
            ONCE,
            KEEP,
            first(9),
            every(2, READ),
            ahead=at(3, _reads(1)),
        ),
        job("a healthy job", STEP, TENSOR, ONCE, KEEP, first(int(rng.integers(3, 9)))),
        job("a job that runs in turn", IN_TURN, ONCE, KEEP, first(9), every(2, READ)),
        job("a job that prints", STEP, RATE, KEEP, every(2, _reads(2 + many))),
        job(
            "a job that makes functions",
            STEP,
            REMADE,
            first(8),
            last_of(3, READ),
            ahead=at(1, _reads(2)),
        ),
        job("a job that reads in one step", STEP, READ, ONCE, at(3, _reads(8))),
        job("a job that traces and reads in one line", STEP, BOTH, every(2, _reads(3))),
        job(
            "a job with a cheap first step",
            VALUE,
            last_of(2, READ),
            every(3, _reads(3)),
        ),
    ]


def first(steps: int) -> str:
    """A line that reads `steps` values, in the first step only."""
    return at(0, _reads(steps))


def at(step: int, line: str) -> str:
    """The line, in one step only."""
    return f"if i == {step}: {line}"


def every(count: int, line: str) -> str:
    """The line, in every step whose number divides by `count`, but for the first."""
    return f"if i and i % {count} == 0: {line}"


def last_of(count: int, line: str) -> str:
    """The line, in the last of every `count` steps."""
    return f"if i % {count} == {count - 1}: {line}"


def _reads(count: int) -> str:
    return f"shown = [float(v) for v in weights[:{count}]]"


def later(events: Iterable[Event]) -> Counter[int]:
    """Return in how many steps after the first one each line has an event."""
    return Counter(line for _, line in sorted({e[:2] for e in events if e[0] > 0}))


def most(counts: Counter) -> Found:
    """Return what is counted most often and how often, or None where nothing is."""
    return counts.most_common(1)[0] if counts else None
