"""What must hold of noise in an input pipeline, and how a function's runs show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count

import numpy as np
import tensorflow as tf

from course.checks.exercises import Data
from course.checks.properties import Properties, Property
from course.lessons.n04_changes_with_replica_count.row_numbers import repeats, scattered
from course.runs.devices import mirrored, virtual_devices
from course.runs.replica_exercises import DEVICES
from course.runs.workloads import Rows, regression

BATCH, NOISE = 8, 0.1
# apart by usual factors and divisors: epoch % 2, or row * 100 + epoch, comes again
EPOCHS = (0, 1, 2, 3, 5, 10, 100)
_SEEDS = count(1)
MOST_STEPS = 50  # of an epoch that should have nine at most


@dataclass(frozen=True, eq=False)
class Augmented:
    """Rows whose features get noise, on one device and on several replicas."""

    rows: Rows
    replicas: int

    def __str__(self) -> str:
        return (
            f"{len(self.rows)} rows with numbers up to {self.rows.ids.max()}, batch "
            f"{BATCH}, epochs {', '.join(map(str, EPOCHS))}, on one device and on "
            f"{self.replicas} replicas"
        )


def draw(rng: np.random.Generator) -> list[Augmented]:
    """Draw rows that do not divide, whose numbers are not their places."""
    return [
        Augmented(_numbered(rng, int(rng.choice(counts))), replicas)
        for counts, replicas in (([43, 45, 47], 4), ([43, 45], 2))
    ]


def _numbered(rng: np.random.Generator, count: int) -> Rows:
    rows = regression(count, int(rng.integers(1000)))
    return replace(rows, ids=scattered(rng, count))


MUST_HOLD = Properties(
    {
        "ids": Property(
            "Some rows are missing, repeated, or in another batch.",
            "the batches that `data.batch(batch)` has.",
        ),
        "noise": Property(
            "Nothing was added to the features.",
            f"x plus noise with a standard deviation of {NOISE}.",
        ),
        "kept": Property(
            "The features themselves are gone.",
            "x plus noise.",
        ),
        "added": Property(
            "The noise is larger where a feature is larger.",
            "x plus noise of the same size everywhere.",
        ),
        "scale": Property(
            "The noise that was added has another size.",
            f"noise with a standard deviation of {NOISE}.",
        ),
        "centred": Property(
            "The noise that was added is not 0 on average.",
            "normal noise, which is 0 on average.",
        ),
        "normal": Property(
            "No number of the noise is far from the others, as in uniform noise.",
            "normal noise, of which some numbers are large.",
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
        "new_epochs": Property(
            "All rows got the same noise in two epochs.",
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
        "once_more": Property(
            "Going through the same dataset again gave other noise.",
            "the same epoch and row always get the same noise.",
        ),
        "batch": Property(
            "With another batch size, rows got other noise.",
            "noise that depends on epoch and row only.",
        ),
        "place": Property(
            "In another order, rows got other noise.",
            "noise that goes by the row's number, not by its place.",
        ),
        "equal": Property(
            "On several replicas, rows got other noise than on one device.",
            "a row's noise is the same to the last bit, on any number of replicas.",
        ),
    }
)


class _OtherBatches(Exception):
    """The batches are not those of `data.batch(batch)`."""


def observe(function: Callable, case: Augmented) -> Data:
    """Build and go through `function`'s datasets; return the noise of each.

    Float32 arrays of shape (epochs, rows, 2), in the order of `case.rows`: "noise" and
    "once_more" of all EPOCHS, the others of the first two; none of them where the
    batches are not those of `data.batch(batch)`.
    """
    turned_round = case.rows.take(np.arange(len(case.rows))[::-1])

    def again(rows: Rows = case.rows, **how: int) -> np.ndarray:
        return _noise(function, rows, EPOCHS[:2], **how)[0]

    try:
        noise, once_more = _noise(function, case.rows, EPOCHS, passes=2)
        return {
            "noise": noise,
            "once_more": once_more,
            "repeated": again(),
            "on_replicas": again(replicas=case.replicas),
            "batch": again(batch=BATCH - 2),
            "place": again(turned_round)[:, ::-1],
        }
    except _OtherBatches:
        return {}


def holds(case: Augmented, seen: Data) -> dict[str, bool]:
    """Return which of the properties hold of what was observed."""
    found = dict.fromkeys(MUST_HOLD.of, True)
    if not seen:
        return found | {"ids": False}
    noise, first = seen["noise"], seen["noise"][:2]
    repeatable = np.array_equal(first, seen["repeated"])
    found |= {
        "repeatable": repeatable,
        "once_more": not repeatable or np.array_equal(noise, seen["once_more"]),
        "equal": np.array_equal(first, seen["on_replicas"]),
        "noise": bool(np.abs(noise).max() > 1e-6),
        "kept": _slope(noise + case.rows.x, case.rows.x) > 0.5,
    }
    if not (found["noise"] and found["kept"]):
        return found  # nothing more is worth saying
    again = _repeats(noise)
    found |= {name: not true for name, true in again.items()}
    if not any(again.values()):
        found |= _as_normal(noise, case.rows.x)
        for name in ("batch", "place"):
            close = np.allclose(first, seen[name], atol=1e-5)
            found[name] = not repeatable or close
    return found


def _slope(y: np.ndarray, x: np.ndarray) -> float:
    """Return by how much `y`, (epochs, rows, 2), grows with `x`, (rows, 2)."""
    centred = x - x.mean(axis=0)
    return float((y * centred).sum() / (len(y) * (centred**2).sum()))


def _as_normal(noise: np.ndarray, x: np.ndarray) -> dict[str, bool]:
    """Return what about 600 numbers show surely: limits are 7 deviations away."""
    larger = np.corrcoef(np.abs(noise).ravel(), np.abs(noise * 0 + x).ravel())[0, 1]
    added = larger < 0.35
    return {
        "added": bool(added),
        "scale": not added or 0.7 < noise.std() / NOISE < 1.3,
        "normal": not added or bool(_furthest(noise) > 2 * noise.std()),
        "centred": bool(abs(noise.mean()) < 0.3 * noise.std()),
    }


def _furthest(noise: np.ndarray) -> float:
    return float(np.abs(noise - noise.mean()).max())  # of uniform noise 1.7 deviations


def _noise(
    function: Callable,
    rows: Rows,
    epochs: Sequence[int],
    batch: int = BATCH,
    replicas: int = 1,
    passes: int = 1,
) -> np.ndarray:
    """Return what was added, float32, shape (passes, epochs, rows, 2).

    Each epoch's dataset is gone through `passes` times. On one device it is not
    distributed, which would take three times as long.

    Raises:
        TypeError: the function did not return a dataset of batches (ids, x).
        _OtherBatches: it did, of other batches.
    """
    wanted = [part.ids.tolist() for part in rows.batches(batch)]
    devices = virtual_devices(DEVICES)[:replicas]
    strategy = mirrored(devices) if replicas > 1 else tf.distribute.get_strategy()
    added = [[] for _ in range(passes)]
    for epoch in epochs:
        made = _made(function, rows, batch, epoch).take(MOST_STEPS)
        dataset = strategy.experimental_distribute_dataset(made)
        for each in added:
            steps = [[_joined(strategy, part) for part in step] for step in dataset]
            if [ids.tolist() for ids, _ in steps] != wanted:
                raise _OtherBatches
            each.append(np.concatenate([x for _, x in steps]) - rows.x)
    return np.array(added)


def _made(function: Callable, rows: Rows, batch: int, epoch: int) -> tf.data.Dataset:
    data = tf.data.Dataset.from_tensor_slices((rows.ids.astype(np.int32), rows.x))
    tf.random.set_seed(next(_SEEDS))  # it must not matter
    made = function(data, batch, epoch)
    parts = tf.nest.flatten(getattr(made, "element_spec", ()))
    if [part.shape.rank for part in parts] != [1, 2]:
        raise TypeError(
            "the function must return a dataset of batches (ids, x), where ids has the "
            "shape (rows,) and x the shape (rows, 2)"
        )
    return made


def _joined(strategy: tf.distribute.Strategy, value: object) -> np.ndarray:
    parts = strategy.experimental_local_results(value)
    return np.concatenate([part.numpy() for part in parts])


def _repeats(noise: np.ndarray) -> dict[str, bool]:
    """Return whether noise comes again within an epoch, within a row, or across."""
    if np.allclose(noise[..., 0], noise[..., 1], atol=1e-5):
        return {"features": True}  # single numbers also agree by chance
    near = np.round(noise.astype(np.float64), 5)  # x + noise - x loses the last digits
    found = repeats(
        (tuple(pair.tolist()), epoch, row)
        for epoch, rows in enumerate(near)
        for row, pair in enumerate(rows)
    )
    return {
        **dict(zip(("rows", "epochs", "pairs"), found, strict=True)),
        "new_epochs": any(np.array_equal(a, b) for a, b in combinations(noise, 2)),
    }
