"""Further exercise: read from a graph how many multiplications each device gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import tensorflow as tf
from tensorflow.python.eager.polymorphic_function.concrete_function import (
    ConcreteFunction,
)

from course.devices import virtual_devices
from course.exercises import Difference, Exercise, Mistake, Observation
from course.jobs.placement import Work, watching
from course.jobs.training_exercises import DEVICES

Report = Mapping[str, int]
MISSING = -1  # stands for a device that the report does not name


@dataclass(frozen=True, eq=False)
class Graph:
    """A concrete function and, from a real run of it, what ran where."""

    label: str
    concrete: ConcreteFunction
    works: tuple[Work, ...]
    others: int

    def __str__(self) -> str:
        return f"{self.label} ({len(self.works)} MatMul)"


def draw(rng: np.random.Generator) -> list[Graph]:
    """Draw graphs: all devices busy, one idle, one missing device, nothing asked."""
    names = virtual_devices(DEVICES)
    kind = names[0][:3]
    plans = {
        "all devices": list(names),
        "some devices idle": [names[0], names[2]],
        "a device that does not exist": [*names[1:3], f"{kind}:9", f"{kind}:1"],
        "some lines that ask for nothing": [names[3], None, names[1], None],
    }
    graphs = []
    for label, places in plans.items():
        plan = [
            place for place in places for _ in range(int(rng.integers(1, 4)))
        ]  # a different number of multiplications for each
        graphs.append(_graph(label, list(rng.permutation(np.array(plan, object)))))
    return graphs


def _graph(label: str, plan: list[str | None]) -> Graph:
    """Build, and run once, a function with one MatMul for each entry of `plan`."""

    @tf.function
    def step(x):
        total = tf.zeros((2, 2))
        for number, place in enumerate(plan, start=1):
            with tf.device(place):
                total += tf.matmul(x * float(number), x)
        return total

    x = tf.ones((2, 2))
    with watching() as watch:
        concrete = step.get_concrete_function(tf.TensorSpec((2, 2)))
        concrete(x)
    operations = concrete.graph.get_operations()
    return Graph(label, concrete, tuple(watch.graph), len(operations) - len(plan))


def _ran(graph: Graph) -> Report:
    """The truth, from the run: every device there is, also the idle ones."""
    names = virtual_devices(DEVICES)
    return {name: sum(w.ran == name for w in graph.works) for name in names}


def _requested(graph: Graph, chosen: Callable[[str], str | None]) -> Report:
    """Count by `chosen(asked)`: a device's name, or None to leave it out."""
    counted = dict.fromkeys(virtual_devices(DEVICES), 0)
    for work in graph.works:
        name = chosen(work.asked)
        if name is not None:
            counted[name] = counted.get(name, 0) + 1
    return counted


def _observation(report: Report) -> Observation:
    """Counts of the real devices in order, then how many other names, and their sum."""
    names = virtual_devices(DEVICES)
    extra = [count for name, count in report.items() if name not in names]
    counts = tuple(report.get(name, MISSING) for name in names)
    return Observation(
        np.zeros(1), {"devices": counts, "others": (len(extra), sum(extra))}
    )


def _observe(function, graph: Graph) -> Observation:
    answer = function(graph.concrete)
    try:
        report = {_name(key): int(value) for key, value in dict(answer).items()}
    except (TypeError, ValueError):
        raise TypeError(
            f"the function returned {str(answer)[:60]!r}; it must return a dict from "
            'the name of each device, such as "CPU:0", to a number of MatMul operations'
        ) from None
    return _observation(report)


def _name(key: object) -> str:
    """Accept TensorFlow's own long names too."""
    return ":".join(str(key).rsplit(":", 2)[-2:]).removeprefix("/")


def _compare(graph: Graph, got: Observation, truth: Observation) -> Difference:
    names = virtual_devices(DEVICES)
    said = ", ".join(
        f"{name} {'not named' if n == MISSING else n}"
        for name, n in zip(names, got.counts["devices"], strict=True)
    )
    others, amount = got.counts["others"]
    more = f"; and {amount} under {others} other names" if others else ""
    real = ", ".join(
        f"{name} {n}" for name, n in zip(names, truth.counts["devices"], strict=True)
    )
    return Difference(
        f"It returned {said}{more}.",
        f"Expected what a run of this graph showed: {real}.",
    )


def _mistake(code: str, cause: str, report: Callable[[Graph], Report]) -> Mistake:
    return Mistake(code, cause, lambda graph: _observation(report(graph)))


def _is_real(asked: str) -> bool:
    return asked in virtual_devices(DEVICES)


def _first() -> str:
    return virtual_devices(DEVICES)[0]


def _busy_only(graph: Graph) -> Report:
    return {name: n for name, n in _ran(graph).items() if n}


def _busy_and_asked(graph: Graph) -> Report:
    counted = _requested(graph, lambda asked: asked)
    return {name: n for name, n in counted.items() if n}


def _all_operations(graph: Graph) -> Report:
    return _ran(graph) | {_first(): _ran(graph)[_first()] + graph.others}


MY_REPORT = Exercise(
    name="06/my_report",
    cases=draw,
    observe=_observe,
    expect=lambda graph: _observation(_ran(graph)),
    compare=_compare,
    mistakes=(
        _mistake(
            "as_asked",
            "it reports what the graph ASKS for. A device that does not exist computes "
            "nothing, and what asks for nothing runs too: both go to the first device. "
            "And a device without work is not named: it should stand there with 0.",
            _busy_and_asked,
        ),
        _mistake(
            "as_asked_all_named",
            "it reports what the graph ASKS for. A device that does not exist computes "
            "nothing, and what asks for nothing runs too: both go to the first device.",
            lambda graph: _requested(graph, lambda asked: asked),
        ),
        _mistake(
            "idle_not_named",
            "the numbers are right, but a device without work is not named. It is the "
            "one you look for: it should stand there with 0.",
            _busy_only,
        ),
        _mistake(
            "left_out",
            "what asks for a missing device, or for none, is left out. It runs all the "
            "same, on the first device.",
            lambda graph: _requested(graph, lambda a: a if _is_real(a) else None),
        ),
        _mistake(
            "ghosts_left_out",
            "what asks for a device that does not exist is left out. It runs all the "
            "same, on the first device.",
            lambda graph: _requested(
                graph, lambda a: a if _is_real(a) else None if a else _first()
            ),
        ),
        _mistake(
            "unplaced_left_out",
            "what asks for no device is left out. It runs all the same, on the first "
            "device.",
            lambda graph: _requested(
                graph, lambda a: a if _is_real(a) else _first() if a else None
            ),
        ),
        _mistake(
            "ghosts_named",
            "a device that does not exist has work in the report. What asks for it "
            "runs on the first device.",
            lambda graph: _requested(graph, lambda a: a or _first()),
        ),
        _mistake(
            "unplaced_named",
            "what asks for no device stands under a name of its own. It runs on the "
            "first device.",
            lambda graph: _requested(
                graph, lambda a: a if _is_real(a) or not a else _first()
            ),
        ),
        _mistake(
            "nothing_counted",
            "all numbers are 0: op.device is a long name. Compare what stands after "
            'its last "device:", and op.type with "MatMul".',
            lambda graph: dict.fromkeys(virtual_devices(DEVICES), 0),
        ),
        _mistake(
            "all_on_the_first",
            "everything is counted on the first device: no op.device was found among "
            'the devices. Compare what stands after the last "device:" of both names.',
            lambda graph: (
                dict.fromkeys(virtual_devices(DEVICES), 0)
                | {_first(): len(graph.works)}
            ),
        ),
    ),
    right="Right on four graphs, with idle, missing and no devices; a run of each "
    "agreed.",
)
