"""This notebook's instrument: which device multiplies which rows in a step?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial

import numpy as np
import tensorflow as tf

from course.checks.exercises import TOLERANCE
from course.checks.failures import StepFailed
from course.lessons.n07_only_one_device_works.device_rows import device_rows
from course.lessons.n07_only_one_device_works.placed_training import (
    PlacedRun,
    Train,
    train_placed,
)
from course.pictures.picture import Picture
from course.runs.devices import virtual_devices
from course.runs.recording import Recording
from course.runs.replica_exercises import DEVICES
from course.runs.sequential import train_sequentially
from course.runs.workloads import LEARNING_RATE, regression
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice, Slider

BATCH, ROWS = 12, regression(24)
MISSING = "9"  # number of a device that no machine of this course has


@dataclass(frozen=True, eq=False)
class Played:
    """A run, the same steps on one device, the devices there are, and the knobs."""

    run: PlacedRun
    sequential: Recording
    there: tuple[str, ...]
    knobs: str


def strategy_run(
    devices: Sequence[str], batches: tf.data.Dataset, pin: str, scoped: bool
) -> object:
    """Train by `strategy.run` in a `tf.function`; its arguments are whole batches."""
    strategy = tf.distribute.MirroredStrategy(list(devices))
    with strategy.scope() if scoped else nullcontext():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        with tf.device(pin) if pin else nullcontext():
            gradient = _gradient(w, x, y)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in batches:
        step(x, y)
    return w


def loop_in_the_scope(
    devices: Sequence[str], batches: tf.data.Dataset, pin: str, scoped: bool
) -> object:
    """Train in a plain loop that stands in the scope of the strategy."""
    strategy = tf.distribute.MirroredStrategy(list(devices))
    w = None if scoped else tf.Variable([0.0, 0.0])
    with strategy.scope():
        w = tf.Variable([0.0, 0.0]) if w is None else w
        for x, y in batches:
            with tf.device(pin) if pin else nullcontext():
                gradient = _gradient(w, x, y)
            w.assign_sub(LEARNING_RATE * gradient)
    return w


def who_multiplies() -> None:
    """Show the instrument."""
    names = virtual_devices(DEVICES)
    kind = names[0][:-1]
    loops = {"strategy.run": strategy_run, "plain, in the scope": loop_in_the_scope}
    pins = {
        "none": "",
        f'"{names[0]}"': names[0],
        f'"{kind}{MISSING}"': f"{kind}{MISSING}",
    }
    instrument(
        [
            Slider("asked", "devices asked for", 1, DEVICES + 2, DEVICES),
            Choice("loop", "loop", loops, strategy_run, mine="07/my_train"),
            Choice("pin", "tf.device around the gradient", pins, names[0]),
            Choice(
                "scoped", "w made", {"in the scope": True, "before it": False}, True
            ),
            Choice("soft", "soft placement", {"on": True, "off": False}, True),
        ],
        run,
        picture,
        told,
        idle=idle_knobs,
    )


def idle_knobs(
    asked: int, loop: Callable[..., object], pin: str, **others: object
) -> dict[str, str]:
    """Return, for each knob that changes nothing now, why it does not."""
    idle = {}
    if loop not in (strategy_run, loop_in_the_scope):
        why = "my_train decides this itself."
        idle, pin = {"pin": why, "scoped": why}, ""
    if asked <= DEVICES and not pin.endswith(MISSING):
        idle["soft"] = "All devices that this run asks for exist."
    return idle


def run(
    asked: int, loop: Callable[..., object], pin: str, scoped: bool, soft: bool
) -> Played:
    """Train for two steps of 12 rows on `asked` names, of which four exist.

    Raises:
        ValueError: TensorFlow refused; in its words.
    """
    there = virtual_devices(DEVICES)
    devices = [f"{there[0][:-1]}{number}" for number in range(asked)]
    shipped = loop in (strategy_run, loop_in_the_scope)
    train: Train = partial(loop, pin=pin, scoped=scoped) if shipped else loop
    knobs = [f"{asked} asked for", "strategy.run" if loop is strategy_run else "loop"]
    if not shipped:
        knobs = [f"{asked} asked for", "my_train"]
    knobs += [f'tf.device("{pin}")'] * bool(pin and shipped)
    knobs += ["w made before the scope"] * (not scoped and shipped)
    with _soft_placement(soft):
        try:
            placed = train_placed(train, ROWS, BATCH, devices, label="This run")
        except StepFailed as error:
            raise ValueError(_short(str(error))) from None
    sequential = train_sequentially(ROWS, BATCH, len(ROWS) // BATCH)
    return Played(placed, sequential, tuple(there), ", ".join(knobs))


def picture(now: Played, before: Played | None = None) -> Picture:
    """Draw the rows that each device should multiply, and those that it did.

    `before` is not drawn: its line stands among the runs so far.
    """
    return device_rows(now.sequential, now.run, there=now.there)


def told(now: Played) -> str:
    """Say in one line how many rows each device multiplied forward in a step."""
    rows = [
        f"{device} {sum(now.run.rows_on(device, True)) // now.run.steps}"
        for device in now.there
    ]
    off = float(np.abs(now.run.weights - now.sequential.copies[-1, 0]).max())
    weights = "right" if off <= TOLERANCE else "wrong"
    return f"{now.knobs}: rows forward {', '.join(rows)}; weights {weights}"


def _short(text: str) -> str:
    """A message of TensorFlow's with short names of devices, and its first sentence."""
    text = text.replace("/job:localhost/replica:0/task:0/device:", "")
    return text.split(" [Op")[0].split(" but ")[0].split(" enable_soft")[0]


@contextmanager
def _soft_placement(on: bool) -> Iterator[None]:
    before = tf.config.get_soft_device_placement()
    tf.config.set_soft_device_placement(on)
    try:
        yield
    finally:
        tf.config.set_soft_device_placement(before)


def _gradient(w: tf.Variable, x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    value = tf.convert_to_tensor(w)
    with tf.GradientTape() as tape:
        tape.watch(value)
        loss = tf.reduce_mean((tf.linalg.matvec(x, value) - y) ** 2)
    return tape.gradient(loss, value)
