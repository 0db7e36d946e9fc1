"""Further exercise: read from a graph how many multiplications each device gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import tensorflow as tf
from tensorflow.python.eager.polymorphic_function.concrete_function import (
    ConcreteFunction,
)

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.failures import WrongReturn
from course.lessons.n07_only_one_device_works.written_names import (
    device_lists,
    only_own_names,
)
from course.lessons.n07_only_one_device_works.wrong_report import MISTAKES
from course.runs.devices import existing_devices, virtual_devices
from course.runs.placement import Work, watching
from course.runs.replica_exercises import DEVICES

Report = Mapping[str, int]
MISSING = -1  # stands for a device that the report does not name


@dataclass(frozen=True, eq=False)
class Graph:
    """A concrete function and, from a real run of it, what ran where.

    plan: the device that each of its MatMul asks for.
    works: empty in another process, which gets no truth.
    """

    label: str
    plan: tuple[str | None, ...]
    concrete: ConcreteFunction
    works: tuple[Work, ...] = ()

    def __str__(self) -> str:
        return f"{self.label} ({len(self.plan)} MatMul)"

    def __reduce__(self) -> tuple:
        """Let another process build the function anew: a graph can't be sent."""
        return _built, (self.label, self.plan)


def draw(rng: np.random.Generator) -> list[Graph]:
    """Draw graphs: all devices busy, one idle, one missing device, nothing asked."""
    names = virtual_devices(DEVICES)
    kind = names[0][:3]
    # by its number it is a real one; where devices are GPUs, a CPU:2 falls elsewhere
    ghost = "GPU:2" if kind == "CPU" else "GPU:8"
    plans = {
        "all devices": list(names),
        "some devices idle": [names[0], names[2]],
        "devices that do not exist": [*names[1:3], f"{kind}:9", ghost],
        "some lines that ask for nothing": [names[3], None, names[1], None],
    }
    graphs = []
    for label, places in plans.items():
        # a different number of multiplications for each
        plan = [place for place in places for _ in range(int(rng.integers(1, 4)))]
        graphs.append(_graph(label, list(rng.permutation(np.array(plan, object)))))
    return graphs


def _graph(label: str, plan: Sequence[str | None]) -> Graph:
    """Build such a function, and run it once."""
    with watching() as watch:
        built = _built(label, plan)
        built.concrete(tf.ones((2, 2)))
    return replace(built, works=tuple(watch.graph))


def _built(label: str, plan: Sequence[str | None]) -> Graph:
    """Build a function with one MatMul for each entry of `plan`."""

    @tf.function
    def step(x):
        total = tf.zeros((2, 2))
        for number, place in enumerate(plan, start=1):
            with tf.device(place):
                total += tf.matmul(x * float(number), x)
        return total

    return Graph(label, tuple(plan), step.get_concrete_function(tf.TensorSpec((2, 2))))


def _ran(graph: Graph) -> Report:
    """The truth, from the run: every device there is, also the idle ones."""
    names = virtual_devices(DEVICES)
    return {name: sum(w.ran == name for w in graph.works) for name in names}


def _observation(report: Report) -> Observation:
    """Counts of the real devices in order; how many other names, and their sum.

    "written" is 1 where the names are written down in the function.
    """
    names = virtual_devices(DEVICES)
    # a CPU beside GPUs exists, too, and has no work: it may be named
    exist = existing_devices()
    extra = [
        count
        for name, count in report.items()
        if name not in names and (count or name not in exist)
    ]
    counts = tuple(report.get(name, MISSING) for name in names)
    return Observation(
        np.zeros(1),
        {"devices": counts, "others": (len(extra), sum(extra)), "written": (0,)},
    )


def _observe(function, graph: Graph) -> Observation:
    with device_lists() as asked:
        answer = function(graph.concrete)
    try:
        report = {_name(key): int(value) for key, value in dict(answer).items()}
    except (TypeError, ValueError):
        wanted = (
            'a dict from the name of each device, such as "CPU:0", to its number of '
            "MatMul operations"
        )
        raise WrongReturn.of(answer, wanted) from None
    return _observation(report).changed(written=not asked and only_own_names(function))


def _name(key: object) -> str:
    """Accept TensorFlow's own long names too."""
    return ":".join(str(key).rsplit(":", 2)[-2:]).removeprefix("/")


def _compare(graph: Graph, got: Observation, truth: Observation) -> Difference:
    if got.changed(written=0).agrees(truth, 0.0):
        return Difference(
            "The numbers are right, but the names of the devices are written down in "
            "the function. It does not ask which devices exist.",
            "Expected: a report that is right on a machine with other devices, too.",
        )
    others, amount = got.counts["others"]
    names = "another name" if others == 1 else f"{others} other names"
    more = f"; and {amount} under {names}" if others else ""
    return Difference(
        f"It returned {_said(got)}{more}.",
        f"Expected what a run of this graph showed: {_said(truth)}.",
    )


def _said(seen: Observation) -> str:
    pairs = zip(virtual_devices(DEVICES), seen.counts["devices"], strict=True)
    return ", ".join(f"{d} {'not named' if n == MISSING else n}" for d, n in pairs)


MY_REPORT = Exercise(
    name="07/my_report",
    cases=draw,
    observe=_observe,
    expect=lambda graph: _observation(_ran(graph)),
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Right on four graphs, with idle and missing devices and with operations "
    "that ask for none; a run of each graph gave the same counts.",
)
