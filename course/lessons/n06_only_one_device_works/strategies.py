"""Further exercise: how many replicas of a strategy have a device of their own?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.devices import virtual_devices
from course.exercises import Difference, Exercise, Mistake, Observation
from course.jobs.training_exercises import DEVICES


@dataclass(frozen=True)
class Inventory:
    """The names a MirroredStrategy is built on, real ones and others."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"a strategy on {', '.join(self.names)}"

    @property
    def real(self) -> list[str]:
        """Those that exist."""
        return [name for name in self.names if name in virtual_devices(DEVICES)]


def build(names: tuple[str, ...]) -> tf.distribute.MirroredStrategy:
    """Return a strategy on `names`, whether they exist or not.

    `mirrored` refuses missing devices; TensorFlow does not. With its default reduction
    the first all-reduce of such a strategy hangs, so this one has another.
    """
    return tf.distribute.MirroredStrategy(
        list(names), cross_device_ops=tf.distribute.ReductionToOneDevice()
    )


def draw(rng: np.random.Generator) -> list[Inventory]:
    """Draw lists with all, some and no real devices; the first is a real one or not."""
    names = list(virtual_devices(DEVICES))
    kind = names[0][:3]
    ghosts = [f"{kind}:{int(n)}" for n in rng.permutation(np.arange(5, 10))]
    order = [names[i] for i in rng.permutation(4)]
    return [
        Inventory(tuple(order)),
        Inventory((order[1], *ghosts[:2], order[2], order[3])),
        Inventory((ghosts[0], order[0])),
        Inventory(tuple(ghosts[:3])),
        Inventory((names[1], names[0], ghosts[0])),
    ]


def _observe(function, case: Inventory) -> Observation:
    answer = function(build(case.names))
    try:
        number = float(answer)
    except (TypeError, ValueError):
        number = 0.5
    if number != int(number) or isinstance(answer, bool):
        raise TypeError(
            f"the function returned {str(answer)[:60]!r}; it must return a whole number"
        )
    return _observation(int(number))


def _observation(number: int) -> Observation:
    return Observation(np.array([float(number)]))


def _compare(case: Inventory, got: Observation, truth: Observation) -> Difference:
    came, wanted = int(got.values[0]), int(truth.values[0])
    return Difference(
        f"It returned {came}.",
        f"Expected {wanted}: so many of the {len(case.names)} names belong to a device "
        "that exists.",
    )


def _mistake(code: str, cause: str, number: Callable[[Inventory], int]) -> Mistake:
    return Mistake(code, cause, lambda case: _observation(number(case)))


def _shared(case: Inventory) -> int:
    """Distinct devices that hold a copy: those without a device go to the first."""
    first = virtual_devices(DEVICES)[0]
    return len({name if name in case.real else first for name in case.names})


MY_REAL_REPLICAS = Exercise(
    name="06/my_real_replicas",
    cases=draw,
    observe=_observe,
    expect=lambda case: _observation(len(case.real)),
    compare=_compare,
    mistakes=(
        _mistake(
            "in_sync",
            "it counts the replicas, which are as many as there are NAMES. Nobody "
            "asked whether the devices exist.",
            lambda case: len(case.names),
        ),
        _mistake(
            "all_devices",
            "it counts the devices of the process, whatever the strategy uses.",
            lambda case: DEVICES,
        ),
        _mistake(
            "never_more_than_devices",
            "it takes the smaller of two numbers. Some names may be missing although "
            "there are enough other devices: compare the names.",
            lambda case: min(len(case.names), DEVICES),
        ),
        _mistake(
            "devices_that_hold_a_copy",
            "it counts the devices that hold a copy of a variable. The first device "
            "may hold one for a replica whose device does not exist: that replica has "
            "no device of its own.",
            _shared,
        ),
        _mistake(
            "names_do_not_match",
            "it finds no device at all: worker_devices has long names, and "
            "list_logical_devices shorter ones. Compare what stands after the last "
            '"device:".',
            lambda case: 0,
        ),
        _mistake(
            "missing_ones",
            "it counts the replicas whose device does NOT exist.",
            lambda case: len(case.names) - len(case.real),
        ),
        _mistake(
            "idle_ones",
            "it counts the devices that the strategy does not use.",
            lambda case: DEVICES - len(case.real),
        ),
    ),
    right="Right for five strategies, three of them with devices that do not exist.",
)
