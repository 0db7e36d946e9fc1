"""Further exercise: how many replicas of a strategy have a device of their own?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.lessons.n06_only_one_device_works.wrong_real_replicas import MISTAKES
from course.runs.devices import virtual_devices
from course.runs.replica_exercises import DEVICES


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
    """Draw lists with all, some and no real devices; the first is a real one or not.

    Of those that do not exist, some have the number of a real one, but another type;
    others have two digits, of which one is such a number.
    """
    names = list(virtual_devices(DEVICES))
    kind = names[0][:3]
    ghosts = [f"{kind}:{int(n)}" for n in rng.permutation(np.arange(5, 10))]
    other = "GPU" if kind == "CPU" else "CPU"
    like = [f"{other}:{int(n)}" for n in rng.permutation(np.arange(1, 4))]
    real, missing = rng.integers(1, 4, 2), rng.integers(5, 10, 2)
    longer, higher = f"{kind}:{real[0]}{missing[0]}", f"{kind}:{missing[1]}{real[1]}"
    order = [names[i] for i in rng.permutation(4)]
    return [
        Inventory(tuple(order)),
        Inventory((order[1], longer, like[0], order[2], order[3])),
        Inventory((ghosts[0], order[0])),
        Inventory((higher, ghosts[0], *like[1:])),
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
    return Observation(np.array([number]))


def _compare(case: Inventory, got: Observation, truth: Observation) -> Difference:
    came, wanted = int(got.values[0]), int(truth.values[0])
    return Difference(
        f"It returned {came}.",
        f"Expected {wanted}: so many of the {len(case.names)} names belong to a device "
        "that exists.",
    )


MY_REAL_REPLICAS = Exercise(
    name="06/my_real_replicas",
    cases=draw,
    observe=_observe,
    expect=lambda case: Observation(np.array([float(len(case.real))])),
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Right for five strategies, three of them with devices that do not exist.",
)
