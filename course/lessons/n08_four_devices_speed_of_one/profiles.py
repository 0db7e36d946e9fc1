"""Further exercise: how much each replica multiplied, read from a profiler's trace."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.lessons.n08_four_devices_speed_of_one.op_events import OpEvent
from course.lessons.n08_four_devices_speed_of_one.uneven_job import profiled
from course.runs.devices import virtual_devices
from course.runs.replica_exercises import DEVICES


@dataclass(frozen=True)
class Trace:
    """A real trace, and the job it is of."""

    plan: tuple[int, ...]
    steps: int
    events: tuple[OpEvent, ...]

    def __str__(self) -> str:
        return f"{len(self.plan)} replicas, {self.steps} steps"


def draw(rng: np.random.Generator) -> list[Trace]:
    """Draw jobs on four and on three devices, and profile them; no two counts agree."""
    traces = []
    for replicas, least in ((4, 0), (3, 1), (4, 1)):
        plan = tuple(rng.permutation(np.arange(least, least + replicas)).tolist())
        steps = int(rng.integers(3, 6))
        devices = virtual_devices(DEVICES)[:replicas]
        events = profiled(plan, devices, steps, layer="after_replica_1")
        traces.append(Trace(plan, steps, tuple(events)))
    return traces


def _by_replica(
    trace: Trace, counts: Callable[[str], bool], names: Sequence[str] | None = None
) -> list[float]:
    """Count the events whose name `counts`, for each replica."""
    found: Counter[int] = Counter()
    for name in names or [name for _, name in trace.events]:
        if counts(name):
            prefix = re.match(r"replica_(\d+)/", name)
            found[int(prefix.group(1)) if prefix else 0] += 1
    return [found[replica] for replica in range(len(trace.plan))]


def _anywhere(trace: Trace) -> list[float]:
    """The first number after any `replica_`, wherever in the name it stands."""
    found = Counter(
        int(re.search(r"replica_(\d+)", name).group(1))
        for _, name in trace.events
        if _multiplies(name)
    )
    return [found[replica] for replica in range(len(trace.plan))]


def _contained(trace: Trace, once: bool) -> list[float]:
    """For each name, the replicas that it contains; only the first, if `once`."""
    found: Counter[int] = Counter()
    for name in (name for _, name in trace.events if _multiplies(name)):
        owners = [r for r in range(1, len(trace.plan)) if f"replica_{r}" in name]
        found.update(owners[:1] if once else owners)
        found[0] += "replica_" not in name
    return [found[replica] for replica in range(len(trace.plan))]


def _multiplies(name: str) -> bool:
    return name.rpartition(":")[2] == "MatMul"


def _threads(trace: Trace) -> list[float]:
    counts = Counter(thread for thread, name in trace.events if _multiplies(name))
    return [counts[thread] for thread in sorted(counts)]


def _without_prefix(trace: Trace) -> list[float]:
    return [0, *_by_replica(trace, _multiplies)[1:]]


def _shifted(trace: Trace) -> list[float]:
    """Those with a name come first, and what has none is left out."""
    counts = _by_replica(trace, _multiplies)
    return counts[1:]


def _observation(counts: Sequence[float]) -> Observation:
    return Observation(np.array(counts, np.float64))


def _observe(function, trace: Trace) -> Observation:
    answer = function(list(trace.events), len(trace.plan))
    try:
        if isinstance(answer, Mapping):
            answer = [answer.get(r, 0) for r in range(len(trace.plan))]
        counts = np.array([float(count) for count in answer])
    except (TypeError, ValueError):
        raise TypeError(
            f"the function returned {str(answer)[:60]!r}; it must return a list with "
            "the number of multiplications of each replica"
        ) from None
    return _observation(counts)


def _compare(trace: Trace, got: Observation, truth: Observation) -> Difference:
    said, wanted = (
        ", ".join(f"{value:g}" for value in each.values) for each in (got, truth)
    )
    return Difference(
        f"It returned [{said}].",
        f"Expected [{wanted}]: so often each replica's MatMul operations ran.",
    )


def _mistake(code: str, cause: str, counts: Callable[[Trace], Sequence[float]]):
    return Mistake(code, cause, lambda trace: _observation(counts(trace)))


MY_COUNTS = Exercise(
    name="08/my_counts",
    cases=draw,
    observe=_observe,
    expect=lambda trace: _observation(np.array(trace.plan) * trace.steps),
    compare=_compare,
    mistakes=(
        _mistake(
            "threads",
            "it counts by thread. A row of a trace is a thread of the host, not a "
            "device: TensorFlow gives an operation to any thread that is free. The "
            "replica stands in the operation's name.",
            _threads,
        ),
        _mistake(
            "replica_0_missing",
            "replica 0 gets nothing: the names of its operations begin without any "
            "replica_.",
            _without_prefix,
        ),
        _mistake(
            "replica_0_left_out",
            "replica 0 is left out of the list: the names of its operations begin "
            "without any replica_.",
            _shifted,
        ),
        *(
            _mistake(
                code,
                "a name is counted for a replica that it does not BEGIN with. Only "
                "replica_1/, replica_2/ and so on at its very beginning tell the "
                "replica; all else is free text, also before the first /.",
                counts,
            )
            for code, counts in (
                ("replica_anywhere", _anywhere),
                ("replica_contained", lambda trace: _contained(trace, once=False)),
                ("replica_contained_once", lambda trace: _contained(trace, once=True)),
            )
        ),
        _mistake(
            "zeros_left_out",
            "a replica that multiplies nothing is left out of the list. It has a place "
            "in it, with 0.",
            lambda trace: [count for count in _by_replica(trace, _multiplies) if count],
        ),
        _mistake(
            "by_name",
            "it looks for MatMul anywhere in the name. What an operation does is its "
            "type, after the colon.",
            lambda trace: _by_replica(trace, lambda name: "MatMul" in name),
        ),
        _mistake(
            "other_types",
            "it counts other types, too, whose names end in MatMul. The type is all "
            "that stands after the colon.",
            lambda trace: _by_replica(trace, lambda name: name.endswith("MatMul")),
        ),
        _mistake(
            "names_once",
            "it counts each name once. The same operation runs again in every step.",
            lambda trace: _by_replica(
                trace, _multiplies, sorted({name for _, name in trace.events})
            ),
        ),
        _mistake(
            "all_operations",
            "it counts all operations, not only multiplications.",
            lambda trace: _by_replica(trace, lambda name: True),
        ),
        _mistake(
            "all_events_by_thread",
            "it counts all operations of each thread. A row of a trace is a thread, "
            "not a device, and not every operation multiplies.",
            lambda trace: [
                count
                for _, count in sorted(Counter(t for t, _ in trace.events).items())
            ],
        ),
        _mistake(
            "nothing",
            "it finds no multiplication at all.",
            lambda trace: [0] * len(trace.plan),
        ),
        _mistake(
            "all_on_each",
            "every replica gets the number of all multiplications.",
            lambda trace: [sum(trace.plan) * trace.steps] * len(trace.plan),
        ),
    ),
    right="Right on three real traces.",
)
