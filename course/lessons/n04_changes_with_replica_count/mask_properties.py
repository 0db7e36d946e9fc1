"""What must hold of dropout masks, and how it is found out from a function's runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, count

import numpy as np
import tensorflow as tf

from course.checks.exercises import Data
from course.checks.properties import Properties, Property
from course.lessons.n04_changes_with_replica_count.dropout_masks import (
    MaskRecording,
    draw_masks,
)
from course.lessons.n04_changes_with_replica_count.row_numbers import repeats, scattered
from course.runs.devices import mirrored, virtual_devices
from course.runs.replica_exercises import DEVICES
from course.runs.workloads import Rows

KEEP = 0.75
UNITS = 128  # enough for shares and correlations to be decided surely
BATCH = 16
# epochs of three steps, begun at usual factors and divisors: row * 100 + step is then
# the same for two pairs, and step % 5 for two steps
STEPS = tuple(e + i for e in (0, 3, 10, 64, 100, 256, 1000, 10_000) for i in range(3))
SOME = 9  # of the steps are drawn again
RATE_WITHIN = 0.03  # twelve standard deviations of the share that is kept
CORRELATED = 0.6  # seven standard deviations for two independent masks
MOVED = 0.8  # nine, as masks are compared in every place that one can be moved to


@dataclass(frozen=True, eq=False)
class Masks:
    """Masks for rows in batches, on one device and on several replicas."""

    rows: np.ndarray  # their numbers, int32
    replicas: int

    def __str__(self) -> str:
        return (
            f"{len(self.rows)} rows with numbers up to {max(self.rows)}, batch "
            f"{BATCH}, {UNITS} units, {len(STEPS)} steps up to step {max(STEPS)}, on "
            f"one device and on {self.replicas} replicas"
        )


def draw(rng: np.random.Generator) -> list[Masks]:
    """Draw numbers of rows that leave an uneven last batch, without empty shards."""
    return [
        Masks(scattered(rng, 2 * BATCH + int(rng.choice([7, 11, 14]))), replicas)
        for replicas in (4, 2)
    ]


MUST_HOLD = Properties(
    {
        "equal": Property(
            "On several replicas, rows have other masks than on one device.",
            "a row's mask is the same, whichever replica has the row.",
        ),
        "binary": Property(
            "A mask has values other than 0 and 1.",
            "1 where a unit is kept, 0 where it is dropped; the layer scales.",
        ),
        "dropped": Property(
            "Nothing is dropped: all masks are 1.",
            f"each unit is kept with probability {KEEP}.",
        ),
        "not_swapped": Property(
            f"About {1 - KEEP:.0%} of the units are kept.",
            f"each unit is kept with probability {KEEP}.",
        ),
        "rate": Property(
            f"The share of kept units is not near {KEEP:.0%}.",
            f"each unit is kept with probability {KEEP}.",
        ),
        "varied": Property(
            "All units of a row are kept or dropped together.",
            "each unit is decided for itself.",
        ),
        "copied": Property(
            "Some units of a row are always kept or dropped together.",
            "each unit is decided for itself.",
        ),
        "rows": Property(
            "Two rows of one step have the same mask.",
            "every row has a mask of its own.",
        ),
        "steps": Property(
            "A row has the same mask in two steps.",
            "every step draws new masks.",
        ),
        "pairs": Property(
            "Two rows have the same mask in different steps.",
            "no mask is used twice.",
        ),
        "counts": Property(
            "Every row keeps the same number of units.",
            "each unit is decided for itself, so that rows keep more or fewer.",
        ),
        "independent": Property(
            "Some masks, or some units, follow each other by a pattern.",
            "masks that are independent over units, rows and steps.",
        ),
        "repeatable": Property(
            "A second run on one device drew other masks than the first.",
            "the same step and row always have the same mask.",
        ),
        "shared": Property(
            "Two replicas used the same masks for different rows.",
            "every row has a mask of its own.",
        ),
    }
)


def observe(function: Callable, case: Masks) -> Data:
    """Run `function` twice on one device and once on replicas; return the masks.

    Float32 arrays of shape (rows of all steps, UNITS), in the order of the rows: "one"
    of all STEPS, "again" and "many" (on replicas) of the first SOME.
    """
    devices, seeds, rows = virtual_devices(DEVICES), count(1), case.rows.tolist()

    def run(replicas: int, steps: tuple[int, ...]) -> np.ndarray:
        tf.random.set_seed(next(seeds))  # it must not matter
        strategy = mirrored(devices[:replicas])
        drawn = draw_masks(function, rows, BATCH, steps, UNITS, strategy)
        every = [part for step in drawn.masks for part in step]
        return np.concatenate(every).astype(np.float32)

    return {
        "one": run(1, STEPS),
        "again": run(1, STEPS[:SOME]),
        "many": run(case.replicas, STEPS[:SOME]),
    }


def _recording(case: Masks, drawn: np.ndarray, replicas: int) -> MaskRecording:
    """Return the masks of a run by step and replica, as they were drawn."""
    nothing = np.zeros(len(case.rows))  # only the rows' numbers matter
    data = Rows(case.rows, nothing, nothing)
    ids, masks, at = [], [], 0
    while at < len(drawn):
        (part,) = data.batches(BATCH, len(ids) + 1)[-1:]
        own = [shard.ids for shard in part.shards(replicas)]
        ids.append(tuple(tuple(shard.tolist()) for shard in own))
        ends = at + np.cumsum([len(shard) for shard in own])
        masks.append(tuple(np.split(drawn[at : ends[-1]], ends[:-1] - at)))
        at = ends[-1]
    return MaskRecording("", tuple(ids), tuple(masks))


def holds(case: Masks, seen: Data) -> dict[str, bool]:
    """Return which of the properties hold of the masks."""
    one, again = (_recording(case, seen[name], 1) for name in ("one", "again"))
    many, every = _recording(case, seen["many"], case.replicas), seen["one"]
    kept = every > 0
    share, varied = kept.mean(), bool((kept.any(axis=1) & ~kept.all(axis=1)).any())
    sure = varied and len(np.unique(every, axis=0)) > BATCH
    found = dict.fromkeys(MUST_HOLD.of, True) | {
        "binary": bool(np.isin(every, (0.0, 1.0)).all()),
        "dropped": share < 1,
        "not_swapped": abs(share - (1 - KEEP)) > RATE_WITHIN,
        # whole rows, or few masks that come again, make the share far less certain
        "rate": abs(share - KEEP) < (RATE_WITHIN if sure else 5 * RATE_WITHIN),
        "varied": varied,
        "repeatable": not _differ(one, again),
        "equal": not _differ(one, many),
    }
    found["copied"] = not varied or not _units_alike(kept)
    if not (varied and found["copied"]):
        return found  # nothing more is worth saying
    distinct = _distinct(one)
    found |= {"shared": not _shared(many), **distinct}
    if all(distinct.values()):
        found["counts"] = _counts_vary(kept)
        found["independent"] = not found["counts"] or _independent(kept)
    return found


def _differ(first: MaskRecording, second: MaskRecording) -> bool:
    common = range(min(len(first.masks), len(second.masks)))
    return any(first.differing(second, step) for step in common)


def _shared(run: MaskRecording) -> bool:
    return any(
        a.shape == b.shape and np.array_equal(a, b)
        for step in run.masks
        for a, b in combinations(step, 2)
    )


def _distinct(run: MaskRecording) -> dict[str, bool]:
    """Return whether no equal masks are found within steps, within rows, and across."""
    found = repeats(
        ((mask > 0).tobytes(), step, row)
        for step in range(len(STEPS))
        for row, mask in run.by_row(step).items()
    )
    names = ("rows", "steps", "pairs")
    return {name: not again for name, again in zip(names, found, strict=True)}


def _units_alike(kept: np.ndarray) -> bool:
    """Return whether the masks have fewer different units than masks would show."""
    masks, units = (len(np.unique(each, axis=0)) for each in (kept, kept.T))
    return units < min(masks, UNITS)


def _counts_vary(kept: np.ndarray) -> bool:
    """Return whether the kept units of a row vary as those of independent units do."""
    counts = kept.sum(axis=1)
    return bool(counts.std() > 0.5 * np.sqrt(UNITS * KEEP * (1 - KEEP)))


def _independent(kept: np.ndarray) -> bool:
    """Return whether no two masks or units are correlated, nor a mask that is moved."""
    return (
        _largest_correlation(kept) < CORRELATED
        and _largest_correlation(kept.T) < CORRELATED
        and _largest_when_moved(kept) < MOVED
    )


def _largest_correlation(rows: np.ndarray) -> float:
    matrix = np.nan_to_num(np.corrcoef(rows.astype(float)), nan=1.0)
    np.fill_diagonal(matrix, 0.0)
    return float(np.abs(matrix).max())


def _largest_when_moved(rows: np.ndarray) -> float:
    """Return the largest correlation of a row with any that is rolled by some units."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    unit = centred / np.linalg.norm(centred, axis=1, keepdims=True)
    waves = np.fft.rfft(unit)
    return max(  # that row a follows row b is also that b follows a
        float(np.abs(np.fft.irfft(wave * waves[row:].conj(), UNITS)[:, 1:]).max())
        for row, wave in enumerate(waves)
    )
