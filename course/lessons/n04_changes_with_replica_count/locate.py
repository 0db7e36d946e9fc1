"""Locate: the first step in which two replicas draw the same mask, and the layer."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from course.checks.findings import finding
from course.checks.places import Found, Place
from course.lessons.n04_changes_with_replica_count.wrong_first_shared import MISTAKES

STEPS, ROWS, UNITS = 6, 2, 12


@dataclass(frozen=True, eq=False)
class Layers:
    """Masks of several dropout layers: bool, (layers, steps, replicas, rows, units)."""

    masks: np.ndarray
    trait: str

    def __str__(self) -> str:
        return f"a recording where {self.trait}"


def draw(rng: np.random.Generator) -> list[Layers]:
    """Draw recordings: a layer that shares at once, late, in part; and healthy ones."""
    late, layer = int(rng.integers(2, 5)), int(rng.integers(1, 3))
    return [
        Layers(_share(_fresh(rng), layer, 0, (0, 1, 2, 3)), "one layer shares"),
        Layers(_two_layers(rng, late), "two layers share"),
        Layers(
            _share(_fresh(rng), layer, late, (2, 3)), "two replicas of a layer share"
        ),
        Layers(_more_and_more(rng), "more and more replicas of a layer share"),
        Layers(_repeating(rng, layer), "a layer repeats its masks at each step"),
        Layers(_alike(rng), "single rows are equal by chance"),
        Layers(_across_layers(rng), "three replicas draw, and layers are alike"),
        # in the first layer, in the last step
        Layers(_share(_fresh(rng, 2, 2), 0, STEPS - 1, (0, 1)), "two replicas draw"),
    ]


def _fresh(rng: np.random.Generator, replicas: int = 4, layers: int = 3) -> np.ndarray:
    """Draw masks of which no row comes twice; the first ones keep different shares."""
    while True:
        masks = rng.random((layers, STEPS, replicas, ROWS, UNITS)) < 0.6
        rows = masks.reshape(-1, UNITS)
        shares = masks[0, 0].sum(axis=(1, 2))
        if len(np.unique(rows, axis=0)) == len(rows) and _distinct(shares):
            return masks


def _distinct(values: np.ndarray) -> bool:
    return len(np.unique(values, axis=0)) == len(values)


def _share(masks: np.ndarray, layer: int, first: int, replicas: tuple[int, ...]):
    """Give `replicas` of a layer the same masks from step `first` on."""
    masks[layer, first:, replicas] = masks[layer, first:, replicas[0]][None]
    return masks


def _two_layers(rng: np.random.Generator, late: int) -> np.ndarray:
    masks = _share(_fresh(rng), 0, late, (0, 1, 2, 3))
    return _share(masks, 2, late - 1, (1, 3))


def _more_and_more(rng: np.random.Generator) -> np.ndarray:
    masks = _share(_fresh(rng), 1, 3, (0, 1, 2, 3))
    masks[1, 1, 2] = masks[1, 1, 0]
    masks[1, 2, 1] = masks[1, 2, 0]
    return masks


def _repeating(rng: np.random.Generator, layer: int) -> np.ndarray:
    masks = _fresh(rng)
    masks[layer] = masks[layer, :1]
    return masks


def _alike(rng: np.random.Generator) -> np.ndarray:
    masks = _fresh(rng)
    masks[1, 2, :, 0] = masks[1, 2, 0, 0]  # the first rows only
    masks[0, 1, 3, 1] = masks[0, 1, 1, 1]  # the second rows of two replicas
    masks[2, 0, 2, 1] = masks[2, 0, 0, 0]  # one's second row, the other's first
    return masks


def _across_layers(rng: np.random.Generator) -> np.ndarray:
    masks = _fresh(rng, 3)
    masks[2, 1, 0] = masks[0, 1, 2]
    return masks


def first_shared(masks: np.ndarray) -> Found:
    """Return the first step, and in it the first layer, that two replicas share."""
    for step, each_layer in enumerate(masks.swapaxes(0, 1)):
        for layer, own in enumerate(each_layer):
            if any(np.array_equal(a, b) for a, b in combinations(own, 2)):
                return step, layer
    return None


FIRST_SHARED = finding(
    "04/my_first_shared",
    Place(("step", "layer")),
    draw,
    given=lambda layers: (layers.masks.copy(),),
    find=first_shared,
    nothing="no two replicas have the same mask.",
    wanted="the first step in which any two replicas have the same mask for all their "
    "rows, and the first layer that has it in that step.",
    mistakes=MISTAKES,
    usual={"one_late": "the step is one too large: the first one is step 0."},
    right="Right on eight recordings, three of them without a fault.",
)
