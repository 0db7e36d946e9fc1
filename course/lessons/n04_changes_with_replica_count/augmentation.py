"""Further exercise: noise in the input pipeline that survives distribution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, count

import numpy as np
import tensorflow as tf

from course.devices import mirrored, virtual_devices
from course.exercises import Exercise, Observation
from course.jobs.training_exercises import DEVICES
from course.jobs.workloads import Rows, regression
from course.properties import Properties, Property

BATCH, EPOCHS, NOISE = 8, 2, 0.1
_SEEDS = count(1)
MOST_STEPS = 50  # of an epoch that should have seven at most


@dataclass(frozen=True, eq=False)
class Augmented:
    """Rows whose features get noise, on one device and on several replicas."""

    rows: Rows
    replicas: int

    def __str__(self) -> str:
        return (
            f"{len(self.rows)} rows, batch {BATCH}, {EPOCHS} epochs, on one device and "
            f"on {self.replicas} replicas"
        )


def draw(rng: np.random.Generator) -> list[Augmented]:
    """Draw rows that do not divide."""
    return [
        Augmented(regression(int(rows), int(rng.integers(1000))), replicas)
        for rows, replicas in ((rng.choice([43, 45, 47]), 4), (rng.choice([43, 45]), 2))
    ]


MUST_HOLD = Properties(
    {
        "ids": Property(
            "Some rows are missing, repeated, or in another batch.",
            "the batches that `data.batch(batch)` has.",
        ),
        "scale": Property(
            "The noise that was added has another size.",
            f"noise with a standard deviation of {NOISE}.",
        ),
        "features": Property(
            "Both features of a row got the same noise.",
            "every number gets noise of its own.",
        ),
        "rows": Property(
            "Two rows got the same noise in one epoch.",
            "every row gets noise of its own.",
        ),
        "epochs": Property(
            "A row got the same noise in two epochs.",
            "every epoch has new noise.",
        ),
        "pairs": Property(
            "Two rows got the same noise in different epochs.",
            "no noise is used twice.",
        ),
        "repeatable": Property(
            "Building the pipeline again for the same epoch gave other noise.",
            "the same epoch and row always get the same noise.",
        ),
        "batch": Property(
            "With another batch size, rows got other noise.",
            "noise that depends on epoch and row only.",
        ),
        "equal": Property(
            "On several replicas, rows got other noise than on one device.",
            "a row's noise is the same to the last bit, on any number of replicas.",
        ),
    }
)


def _observe(function: Callable, case: Augmented) -> Observation:
    devices = virtual_devices(DEVICES)
    one = [_epoch(function, case, devices[:1], e) for e in range(EPOCHS)]
    again = [_epoch(function, case, devices[:1], e) for e in range(EPOCHS)]
    other = [_epoch(function, case, devices[:1], e, BATCH - 2) for e in range(EPOCHS)]
    many = [_epoch(function, case, devices[: case.replicas], e) for e in range(EPOCHS)]
    right = all(_batches(epoch, case, BATCH) for epoch in (*one, *again, *many))
    if not right or not all(_batches(epoch, case, BATCH - 2) for epoch in other):
        return MUST_HOLD.observation({name: name != "ids" for name in MUST_HOLD.of})
    noise = _noise(one, case)
    # without noise, all of it is equal, and nothing more is worth saying
    repeats = _repeats(noise) if np.abs(noise).max() > 1e-6 else {}
    distinct = bool(repeats) and not any(repeats.values())
    holds = {
        "ids": True,
        "scale": 0.7 < noise.std() / NOISE < 1.3 or (bool(repeats) and not distinct),
        "repeatable": np.array_equal(noise, _noise(again, case)),
        "equal": np.array_equal(noise, _noise(many, case)),
        "batch": not distinct
        or not np.array_equal(noise, _noise(again, case))
        or np.allclose(noise, _noise(other, case), atol=1e-5),
    }
    kinds = ("features", "rows", "epochs", "pairs")
    return MUST_HOLD.observation(holds | {k: not repeats.get(k, False) for k in kinds})


Epoch = list[tuple[tuple[int, ...], np.ndarray]]


def _epoch(
    function: Callable,
    case: Augmented,
    devices: list[str],
    epoch: int,
    batch: int = BATCH,
) -> Epoch:
    """Return ids and features of every step of one epoch, from all replicas.

    Raises:
        TypeError: the function did not return a dataset of batches (ids, x).
    """
    ids = case.rows.ids.astype(np.int32)
    data = tf.data.Dataset.from_tensor_slices((ids, case.rows.x))
    tf.random.set_seed(next(_SEEDS))  # it must not matter
    made = function(data, batch, epoch)
    shapes = [s.rank for s in tf.nest.flatten(_shapes(made))]
    if shapes != [1, 2]:
        raise TypeError(
            "the function must return a dataset of batches (ids, x), where ids has the "
            "shape (rows,) and x the shape (rows, 2)"
        )
    strategy = mirrored(devices)
    steps = []
    for step in strategy.experimental_distribute_dataset(made.take(MOST_STEPS)):
        numbers, x = (_joined(strategy, part) for part in step)
        steps.append((tuple(numbers.tolist()), x))
    return steps


def _shapes(made: object) -> object:
    spec = getattr(made, "element_spec", None)
    return tf.nest.map_structure(lambda each: each.shape, spec) if spec else []


def _batches(epoch: Epoch, case: Augmented, batch: int) -> bool:
    """Return whether the steps have the rows that plain batches have."""
    wanted = [tuple(part.ids.tolist()) for part in case.rows.batches(batch)]
    return [ids for ids, _ in epoch] == wanted


def _joined(strategy: tf.distribute.Strategy, value: object) -> np.ndarray:
    parts = strategy.experimental_local_results(value)
    return np.concatenate([part.numpy() for part in parts])


def _noise(epochs: list[Epoch], case: Augmented) -> np.ndarray:
    """Return what was added, float32, shape (epochs, rows, 2)."""
    return np.array(
        [np.concatenate([x for _, x in epoch]) - case.rows.x for epoch in epochs]
    )


def _repeats(noise: np.ndarray) -> dict[str, bool]:
    """Return whether noise comes again within an epoch, within a row, or across."""
    near = np.round(noise.astype(np.float64), 5)  # x + noise - x loses the last digits
    seen: dict[tuple, list[tuple[int, int]]] = {}
    for epoch, rows in enumerate(near):
        for row, pair in enumerate(rows):
            seen.setdefault(tuple(pair.tolist()), []).append((epoch, row))
    pairs = [p for places in seen.values() for p in combinations(places, 2)]
    return {
        "features": bool((near[..., 0] == near[..., 1]).all()),
        "rows": any(a[0] == b[0] for a, b in pairs),
        "epochs": any(a[1] == b[1] for a, b in pairs),
        "pairs": any(a[0] != b[0] and a[1] != b[1] for a, b in pairs),
    }


AUGMENTATION = Exercise(
    name="04/my_augment",
    cases=draw,
    observe=_observe,
    expect=MUST_HOLD.expect,
    compare=MUST_HOLD.compare,
    mistakes=(
        MUST_HOLD.mistake(
            "stateful",
            ("repeatable", "equal"),
            "the noise comes from an operation with a state: it depends on the global "
            "seed and on what was drawn before, not on epoch and row only.",
        ),
        MUST_HOLD.mistake(
            "epoch_missing",
            ("epochs",),
            "the epoch is not part of the seed, so each epoch repeats the noise of the "
            "first.",
        ),
        MUST_HOLD.mistake(
            "same_for_all_batches",
            ("rows",),
            "the seed does not know the row: rows at the same place in different "
            "batches get the same noise.",
        ),
        MUST_HOLD.mistake(
            "colliding_seeds",
            ("pairs",),
            "epoch and row are joined to one number, and different pairs give the same "
            "one: 1 + 5 is 2 + 4. Give the seed both, as two numbers.",
        ),
        MUST_HOLD.mistake(
            "same_everywhere",
            ("rows", "epochs", "pairs"),
            "the seed is a constant, so every row or every batch gets the same noise, "
            "in every epoch.",
        ),
        MUST_HOLD.mistake(
            "one_seed_for_a_batch",
            ("batch",),
            "one draw serves the whole batch, so a row's noise depends on its place in "
            "the batch. With another batch size it changes.",
        ),
        MUST_HOLD.mistake(
            "one_number_for_a_row",
            ("features",),
            "one number is drawn for the row and added to all of its features.",
        ),
        MUST_HOLD.mistake(
            "no_noise",
            ("scale",),
            "no noise is added, or it has another size, or it is not normal: "
            "stateless_uniform draws from 0 to 1.",
        ),
        MUST_HOLD.mistake(
            "other_batches",
            ("ids",),
            "the batches are not those of data.batch(batch): rows are dropped, "
            "shuffled or batched differently.",
        ),
    ),
    right="Every row's noise depends on epoch and row only: to the last bit the same "
    "on 1, 2 and 4 replicas, and new for every row and epoch.",
)
