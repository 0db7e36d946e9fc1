"""Further exercise: how much each replica multiplied, read from a profiler's trace."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.failures import WrongReturn
from course.lessons.n09_four_devices_speed_of_one.op_events import OpEvent
from course.lessons.n09_four_devices_speed_of_one.uneven_job import profiled
from course.lessons.n09_four_devices_speed_of_one.wrong_counts import MISTAKES
from course.runs.devices import virtual_devices
from course.runs.replica_exercises import DEVICES

THREADS = 7  # of the host, among which the operations are
MANY = 12  # replicas, whose numbers begin alike


@dataclass(frozen=True)
class Trace:
    """A real trace, and the job it is of."""

    plan: tuple[int, ...]
    steps: int
    events: tuple[OpEvent, ...]

    def __str__(self) -> str:
        return f"{len(self.plan)} replicas, {self.steps} steps"


def draw(rng: np.random.Generator) -> list[Trace]:
    """Draw jobs on four and on three devices, and profile them; no two counts agree.

    The last trace becomes that of twelve replicas, most with numbers of two digits.
    """
    traces = []
    for replicas, least, product, layer in (
        (4, 0, "MatMul", "after_replica_1"),
        (3, 1, "Square", "replica_1_head"),
        (4, 1, "MatMul", "after_replica_1"),
    ):
        plan = tuple(rng.permutation(np.arange(least, least + replicas)).tolist())
        steps = int(rng.integers(3, 6))
        devices = virtual_devices(DEVICES)[:replicas]
        events = profiled(plan, devices, steps, layer, product)
        traces.append(Trace(plan, steps, _shuffled(rng, events)))
    return [*traces, _as_if_on(MANY, traces[-1])]


def _shuffled(rng: np.random.Generator, events: list[OpEvent]) -> tuple[OpEvent, ...]:
    """Draw which thread ran what, and when: chance, which is to be a seed's, too."""
    names = rng.permutation(sorted(name for _, name in events)).tolist()
    threads = np.sort(rng.integers(0, THREADS, len(names))).tolist()
    return tuple(zip(threads, names, strict=True))


def _as_if_on(replicas: int, trace: Trace) -> Trace:
    """Return a trace whose replicas do, in turn, what those of this one did."""
    real = len(trace.plan)
    own: list[list[OpEvent]] = [[] for _ in range(real)]
    for thread, name in trace.events:
        found = re.match(r"replica_(\d+)/", name)
        owner = int(found[1]) if found else 0
        own[owner].append((thread, name[found.end() :] if found else name))
    events = [
        (thread, f"replica_{r}/{name}" if r else name)
        for r in range(replicas)
        for thread, name in own[r % real]
    ]
    plan = tuple(trace.plan[r % real] for r in range(replicas))
    return Trace(plan, trace.steps, tuple(events))


def _observe(function, trace: Trace) -> Observation:
    answer = function(list(trace.events), len(trace.plan))
    try:
        if isinstance(answer, Mapping):
            answer = [answer.get(r, 0) for r in range(len(trace.plan))]
        return Observation(np.array([float(count) for count in answer]))
    except (TypeError, ValueError):
        wanted = "a list with the number of multiplications of each replica"
        raise WrongReturn.of(answer, wanted) from None


def _compare(trace: Trace, got: Observation, truth: Observation) -> Difference:
    said, wanted = (
        ", ".join(f"{value:g}" for value in each.values) for each in (got, truth)
    )
    return Difference(
        f"It returned [{said}].",
        f"Expected [{wanted}]: how often each replica's MatMul operations ran.",
    )


MY_COUNTS = Exercise(
    name="09/my_counts",
    cases=draw,
    observe=_observe,
    expect=lambda trace: Observation(np.array(trace.plan, np.float64) * trace.steps),
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Right on three real traces, and on one of them with its names changed to "
    "those of twelve replicas.",
)
