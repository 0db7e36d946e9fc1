"""Run a learner's step through four stages: its results, and who worked when."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
import tensorflow as tf

from course.checks.exercises import Observation
from course.checks.failures import WrongReturn
from course.lessons.n10_split_model_speed_of_one.jobs import (
    SEVERAL,
    SHAPES,
    TOGETHER,
    Job,
    observation,
)
from course.lessons.n10_split_model_speed_of_one.pipeline import (
    STAGES,
    graph_of,
    make_stages,
)
from course.runs.devices import virtual_devices
from course.runs.rendezvous import Rendezvous

WANTED = "(loss, gradients), where gradients is a list of one for each stage"


# (stage, which of its calls) that are to be at work at the same time; going forward,
# the first in stage 2 meets the second in stage 1 and the third in stage 0: so it is in
# any pipeline, also if a device does one thing at a time
FORTH = {(2, 0), (1, 1), (0, 2)}
BACK = {(3, 2), (2, 1), (1, 0)}
TWO_BACK = {(3, 1), (0, 0)}  # the second begins before the first is through


class _Record:
    """What the stages were called with, and who met, if they wait for each other."""

    def __init__(self) -> None:
        self.rows: list[list[int]] = [[] for _ in range(STAGES)]
        self.devices: list[set[str]] = [set() for _ in range(STAGES)]
        self.backward = [0] * STAGES
        self._places: dict[tuple[str, int, int], list[Rendezvous]] = {}

    def place(self, *visits: tuple[str, int, int]) -> Rendezvous:
        """Let these wait for each other: "forward" or "backward", stage, which call."""
        place = Rendezvous(len(visits))
        for visit in visits:
            self._places.setdefault(visit, []).append(place)
        return place

    def visit(self, stage: int, kind: str, micro: int, device: str, rows: int) -> None:
        if kind == "forward":
            nth = len(self.rows[stage])
            self.rows[stage].append(rows)
            self.devices[stage].add(device)
        else:
            nth = self.backward[stage]
            self.backward[stage] += 1
        for place in self._places.get((kind, stage, nth), ()):
            place.wait()


def observe(
    function: Callable, job: Job, back: Collection[tuple[int, int]] = BACK
) -> Observation:
    """Run a learner's function on stages of its own.

    Args:
        function: called as function(stages, x, y, micro).
        job: the rows and weights.
        back: (stage, which call): these backward passes are to be at the same time.

    Raises:
        WrongReturn: the result is not a loss and one gradient for each stage.
    """
    devices = virtual_devices(STAGES)
    record = _Record()

    def visit(*what) -> None:
        record.visit(*what)

    stages = make_stages(job.weights, devices, visit)
    step = graph_of(function, stages, job.micro)
    x, y = tf.constant(job.x), tf.constant(job.y)
    values = _flat(step(x, y))
    calls = record.rows
    placed = [_placed(record.devices[s], devices[s]) for s in range(STAGES)]
    met = returns = early = False
    if job.meets and min(map(len, calls)) >= TOGETHER:
        record = _Record()
        first = ("backward", STAGES - 1, 0), ("forward", 0, len(calls[0]) - 1)
        meetings = [
            [("forward", *visit) for visit in FORTH],
            [("backward", *visit) for visit in back],
            first,
        ]
        places = [record.place(*visits) for visits in meetings]
        step(x, y)
        met, returns, early = (
            place.met == len(visits)
            for place, visits in zip(places, meetings, strict=True)
        )
        if (
            min(record.backward) < TOGETHER
        ):  # gradients are left out: the values tell it
            returns = early = True
    return observation(
        job,
        values,
        calls=[len(rows) for rows in calls],
        rows=[sum(rows) for rows in calls],
        largest=max((max(rows, default=0) for rows in calls), default=0),
        placed=placed,
        met=met,
        back=returns,
        early=early,
    )


def _placed(ran: set[str], own: str) -> int:
    """1 on its own device only, SEVERAL where it ran on some, 0 on another one."""
    return 1 if ran <= {own} else SEVERAL if len(ran) > 1 else 0


def _flat(result: object) -> np.ndarray:
    """Return the loss and all gradients in one row."""
    if result is None:
        raise WrongReturn.of(None, WANTED)
    if not isinstance(result, list | tuple) or len(result) != 2:
        kind = type(result).__name__
        what = f"{len(result)} things" if isinstance(result, list | tuple) else kind
        raise WrongReturn.of(result, WANTED, what)
    loss, gradients = result
    if not isinstance(gradients, list | tuple) or len(gradients) != STAGES:
        kind = type(gradients).__name__
        kind = "one tensor" if "Tensor" in kind else kind
        what = f"{len(gradients)}" if isinstance(gradients, list | tuple) else kind
        wanted = f"{WANTED} ({STAGES} of them)"
        raise WrongReturn.of(result, wanted, f"{what} in the place of the gradients")
    flat = [_array(loss, (), "the loss")]
    for number, (part, shape) in enumerate(zip(gradients, SHAPES, strict=True)):
        if part is None:
            what = (
                f"None as the gradient of stage {number}: the tape found no path from "
                "its weights to the loss. Call the stages inside the tape's block"
            )
            raise WrongReturn.of(result, WANTED, what)
        flat.append(_array(part, shape, f"the gradient of stage {number}"))
    return np.concatenate(flat)


def _array(value: object, shape: tuple[int, ...], name: str) -> np.ndarray:
    try:
        array = np.asarray(tf.convert_to_tensor(value), dtype=np.float64)
    except (TypeError, ValueError):
        what = f"something that is no number in the place of {name}"
        raise WrongReturn.of(value, WANTED, what) from None
    if array.shape != shape:
        wanted = f"{WANTED}, in the order of the stages; {name} has the shape {shape}"
        what = f"the shape {array.shape} in the place of {name}"
        raise WrongReturn.of(value, wanted, what)
    return array.ravel()
