"""The instrument of this notebook: random sources on 1, 2 or 4 replicas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.lessons.n04_changes_with_replica_count.dropout_masks import (
    Mask,
    MaskRecording,
    draw_masks,
)
from course.lessons.n04_changes_with_replica_count.mask_film import counted, mask_film
from course.lessons.n04_changes_with_replica_count.mask_properties import KEEP
from course.pictures.picture import Picture
from course.runs.devices import mirrored, virtual_devices
from course.runs.replica_exercises import DEVICES
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice

ROWS, UNITS, STEPS, SEED = 8, 16, 3, 42

# uniform numbers of a shape, from a source that is made in the strategy's scope
Draw = Callable[[list], object]


def _keras() -> Draw:
    dropout = tf.keras.layers.Dropout(1 - KEEP, seed=1)
    # what is kept must be below KEEP
    return lambda shape: tf.cast(dropout(tf.ones(shape), training=True) == 0, "float32")


def _numpy() -> Draw:
    numbers = np.random.RandomState(1)
    return lambda shape: numbers.uniform(size=shape).astype(np.float32)


SOURCES: dict[str, Callable[[], Draw]] = {
    "tf.random": lambda: tf.random.uniform,
    "tf.random, seed=7": lambda: lambda shape: tf.random.uniform(shape, seed=7),
    "stateless, seed=[7, 7]": lambda: (
        lambda shape: tf.random.stateless_uniform(shape, seed=[7, 7])
    ),
    "tf.random.Generator": lambda: tf.random.Generator.from_seed(1).uniform,
    "Keras Dropout": _keras,
    "np.random": _numpy,
}


@dataclass(frozen=True)
class Drawn:
    """The masks of one source, on one device and on replicas."""

    one: MaskRecording
    many: MaskRecording


def which_rows_share_a_mask() -> None:
    """Show the instrument."""
    virtual_devices(DEVICES)
    names = {name: name for name in SOURCES}
    instrument(
        [
            Choice("source", "source", names, next(iter(names)), mine="04/my_mask"),
            Choice("replicas", "replicas", {"1": 1, "2": 2, "4": 4}, 4),
        ],
        run,
        picture,
        told,
    )


def run(source: str | Mask, replicas: int) -> Drawn:
    """Draw masks from a source, or with a learner's own function.

    Args:
        source: one of SOURCES, or a function such as `my_mask`.
        replicas: how many draw; beside them one device.
    """
    return Drawn(*(_drawn(source, number) for number in (1, replicas)))


def _drawn(source: str | Mask, replicas: int) -> MaskRecording:
    strategy = mirrored(virtual_devices(DEVICES)[:replicas])
    tf.random.set_seed(SEED)
    if callable(source):
        mask, label = source, source.__name__
    else:
        with strategy.scope():
            draw = SOURCES[source]()
        mask, label = _mask(draw), source
    return draw_masks(mask, ROWS, ROWS, STEPS, UNITS, strategy, label)


def _mask(draw: Draw) -> Mask:
    def mask(step: tf.Tensor, ids: tf.Tensor, units: int) -> tf.Tensor:
        return tf.cast(draw([ids.shape[0], units]) < KEEP, tf.float32)

    return mask


def picture(now: Drawn, before: Drawn | None) -> Picture:
    """Draw a run as a film."""
    return mask_film(now.one, now.many)


def told(now: Drawn) -> str:
    """Say in one line what a run gave."""
    steps = range(STEPS)
    differing = {row for step in steps for row in now.many.differing(now.one, step)}
    right = [str(row) for row in range(ROWS) if row not in differing]
    rows = f"rows {', '.join(right)}" if right else "no row"
    frozen = all(counted(now.one, now.many, step)[2] == ROWS for step in steps[1:])
    return (
        f"{now.many.label}, replicas {now.many.replicas}: in every step as on one "
        f"device: {'all rows' if len(right) == ROWS else rows}"
        f"{'; each step repeats the masks' if frozen else ''}"
    )
