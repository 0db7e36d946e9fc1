"""Further exercise: masks of rows that are shared out between workers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import numpy as np

from course.checks.exercises import Data, Observation, shown_by
from course.checks.properties import Properties, Property
from course.lessons.n14_workers_differ_before_step_one.worker_masks import (
    MaskJob,
    Masks,
    draw_at,
    draw_by_workers,
)
from course.lessons.n14_workers_differ_before_step_one.wrong_mask import KEEP, MISTAKES

STEPS, UNITS = 4, 128  # enough units for shares to be decided surely
RATE_WITHIN = 0.04  # nine standard deviations of the share that is kept


def draw(rng: np.random.Generator) -> list[MaskJob]:
    """Draw numbers of rows that leave workers with unequal parts."""
    sizes = (int(rng.choice([11, 13, 17])), int(rng.choice([19, 23])))
    return [MaskJob(rows, STEPS, UNITS, int(rng.integers(1, 500))) for rows in sizes]


MUST_HOLD = Properties(
    {
        "equal": Property(
            "On two or three workers, rows have other masks than on one device.",
            "a row's mask is the same, whichever worker has the row.",
        ),
        "binary": Property(
            "A mask has values other than 0 and 1.",
            "1 where a unit is kept, 0 where it is dropped.",
        ),
        "rate": Property(
            f"The share of kept units is not near {KEEP:.0%}.",
            f"each unit is kept with probability {KEEP}.",
        ),
        "varied": Property(
            "A row's units are all kept or all dropped together.",
            "each unit is decided for itself.",
        ),
        "repeatable": Property(
            "A second run with the same seed, on the same workers, drew other masks.",
            "the same seed, step and row always have the same mask.",
        ),
        "rows": Property(
            "On one device, two rows of one step have the same mask.",
            "every row has a mask of its own.",
        ),
        "steps": Property(
            "On one device, a row has the same mask in two steps.",
            "every step draws new masks.",
        ),
        "pairs": Property(
            "On one device, two rows have the same mask in different steps.",
            "no mask is used twice.",
        ),
        "seeds": Property(
            "The next seed gives masks that this one has given already.",
            "another seed gives other masks, in all steps.",
        ),
        "places": Property(
            "Called with some places of a shard only, it drew other masks for them "
            "than with all.",
            "a row's mask does not depend on which rows come with it.",
        ),
        "far": Property(
            "Far from each other, two different triples of seed, step and row have "
            "the same masks: such as steps 0 and 100, or rows 0 and 100.",
            "no mask is used twice, in a long run of many rows either.",
        ),
        "shared": Property(
            "In one step, two workers used the same mask for different rows.",
            "every row has a mask of its own.",
        ),
    }
)


# places of the shard of worker 1 of 2
PLACES = ((3, 4), (2, 0, 4))
FAR_STEPS, FAR_PLACES = (0, 1, 10, 100), (0, 1, 10, 100)


def observe(function: Callable, case: MaskJob) -> Data:
    """Draw on one device and on workers, of some places only, and of far ones.

    Float32 arrays of shape (steps, rows, units): "one" and "again" on one device, "two"
    and "three" on as many workers, "other" of the next seed; of shape (places, units):
    "some 0", "some 1" of the last step, and "far" of far seeds, steps and rows.
    """
    later = replace(case, seed=case.seed + 1)
    of = case.steps - 1, 1, 2
    far = [
        draw_at(function, job, (step, 0, 1), FAR_PLACES, salt=6)
        for job in (case, later)
        for step in FAR_STEPS
    ]
    seen = {
        "one": draw_by_workers(function, case, 1, 1),
        "again": draw_by_workers(function, case, 1, 2),
        "two": draw_by_workers(function, case, 2, 3),
        "three": draw_by_workers(function, case, 3, 3),
        "other": draw_by_workers(function, later, 1, 4),
        "far": np.concatenate(far),
    }
    for number, places in enumerate(PLACES):
        seen[f"some {number}"] = draw_at(function, case, of, places, salt=5)
    return seen


def holds(case: MaskJob, seen: Data) -> dict[str, bool]:
    """Return which of the properties hold of the masks."""
    one, many = seen["one"], (seen["two"], seen["three"])
    kept = one > 0
    varied = bool((kept.any(axis=2) & ~kept.all(axis=2)).all())
    distinct = _distinct(one, varied)
    # masks that come again make the share far less certain
    within = RATE_WITHIN if all(distinct.values()) else 5 * RATE_WITHIN
    found = {
        "binary": all(np.isin(masks, (0.0, 1.0)).all() for masks in (one, *many)),
        "rate": not varied or abs(kept.mean() - KEEP) < within,
        "varied": varied,
        "repeatable": np.array_equal(one, seen["again"]),
        "equal": all(np.array_equal(one, masks) for masks in many),
        "shared": not varied or not any(map(_shared, many, (2, 3))),
        "seeds": not varied
        or not any(_common(masks, seen["other"]) for masks in (one, many[0])),
        **distinct,
    }
    # what fails already fails here too, for the same reason
    sound = all(found.values())
    found["places"] = not sound or _by_place(case, seen)
    found["far"] = not sound or _apart_far_away(seen["far"])
    return found


def _by_place(case: MaskJob, seen: Data) -> bool:
    """Whether places in batches, and in another order, have the masks of their rows."""
    for number, places in enumerate(PLACES):
        rows = [place * 2 + 1 for place in places]  # of worker 1 of 2
        if not np.array_equal(seen[f"some {number}"], seen["one"][-1, rows]):
            return False
    return True


def _apart_far_away(masks: np.ndarray) -> bool:
    """Whether masks of far seeds, steps and rows are all different."""
    return len({row.tobytes() for row in masks > 0}) == len(masks)


def seen_of(function: Callable, case: MaskJob) -> Observation:
    """Return what holds of a function's masks."""
    return MUST_HOLD.observation(holds(case, observe(function, case)))


def _keys(masks: Masks) -> list[list[bytes]]:
    return [[(mask > 0).tobytes() for mask in step] for step in masks]


def _common(one: Masks, other: Masks) -> bool:
    first, second = ({k for step in _keys(m) for k in step} for m in (one, other))
    return bool(first & second)


def _shared(masks: Masks, workers: int) -> bool:
    """Whether two workers have the same mask in a step."""
    return any(
        a == b and i % workers != j % workers
        for step in _keys(masks)
        for (i, a), (j, b) in combinations(enumerate(step), 2)
    )


def _distinct(masks: Masks, varied: bool) -> dict[str, bool]:
    """Return whether no mask comes again within a step, within a row, and across."""
    seen: dict[bytes, list[tuple[int, int]]] = {}
    for step, keys in enumerate(_keys(masks)):
        for row, key in enumerate(keys):
            seen.setdefault(key, []).append((step, row))
    pairs = [p for places in seen.values() for p in combinations(places, 2)]
    same = {
        "rows": any(a[0] == b[0] for a, b in pairs),
        "steps": any(a[1] == b[1] for a, b in pairs),
        "pairs": any(a[0] != b[0] and a[1] != b[1] for a, b in pairs),
    }
    return {name: not (varied and found) for name, found in same.items()}


MY_MASK = MUST_HOLD.exercise(
    name="14/my_mask",
    cases=draw,
    observe=observe,
    holds=holds,
    mistakes=shown_by(seen_of, *MISTAKES),
    right="A row's mask depends on seed, step and row only: it is the same on one "
    "device and on two and three workers, and new for every row, step and seed.",
)
