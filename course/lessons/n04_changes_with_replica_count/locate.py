"""Locate: the first step in which two replicas draw the same mask, and the layer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from course.exercises import Difference, Exercise, Observation
from course.places import Found, Place

STEPS, ROWS, UNITS = 6, 2, 12
PLACE = Place(("step", "layer"))


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
        Layers(_share(_fresh(rng, 2, 2), 1, late, (0, 1)), "two replicas draw"),
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


def _search(
    layers: Layers,
    alike: Callable[[np.ndarray], bool],
    by_layer: bool = False,
) -> Found:
    """Return the first place at which `alike` finds something in (replicas, ...)."""
    count, steps = layers.masks.shape[:2]
    places = [(s, n) for s in range(steps) for n in range(count)]
    if by_layer:
        places = [(s, n) for n in range(count) for s in range(steps)]
    for step, layer in places:
        if alike(layers.masks[layer, step]):
            return step, layer
    return None


def _any_two(masks: np.ndarray) -> bool:
    return any(np.array_equal(a, b) for a, b in combinations(masks, 2))


def first_shared(layers: Layers) -> Found:
    """Return the first step, and in it the first layer, that two replicas share."""
    return _search(layers, _any_two)


def _remembering(layers: Layers) -> Found:
    """Search as one does who compares the masks of all layers of a step."""
    for step in range(layers.masks.shape[1]):
        seen: set[bytes] = set()
        for layer, masks in enumerate(layers.masks):
            drawn = [mask.tobytes() for mask in masks[step]]
            if len({*seen, *drawn}) < len(seen) + len(drawn):
                return step, layer
            seen.update(drawn)
    return None


def _repeats(layers: Layers) -> Found:
    for step in range(1, layers.masks.shape[1]):
        for layer, masks in enumerate(layers.masks):
            if np.array_equal(masks[step], masks[step - 1]):
                return step, layer
    return None


def _one_late(layers: Layers) -> Found:
    found = first_shared(layers)
    return None if found is None else (found[0] + 1, found[1])


def _swapped(layers: Layers) -> Found:
    found = first_shared(layers)
    return None if found is None else (found[1], found[0])


def _compare(layers: Layers, got: Observation, truth: Observation) -> Difference:
    return PLACE.difference(
        got,
        truth,
        "no two replicas have the same mask.",
        "the first step in which any two replicas have the same mask for all their "
        "rows, and the first layer that has it in that step.",
    )


FIRST_SHARED = Exercise(
    name="04/my_first_shared",
    cases=draw,
    observe=lambda function, layers: PLACE.observation(function(layers.masks.copy())),
    expect=lambda layers: PLACE.observation(first_shared(layers)),
    compare=_compare,
    mistakes=(
        PLACE.mistake(
            "first_two_replicas",
            lambda x: _search(x, lambda m: np.array_equal(m[0], m[1])),
            "it compares replicas 0 and 1 only. Other replicas may share.",
        ),
        PLACE.mistake(
            "against_replica_0",
            lambda x: _search(x, lambda m: any(np.array_equal(m[0], b) for b in m[1:])),
            "it compares every replica with replica 0. Two others may share.",
        ),
        PLACE.mistake(
            "neighbours",
            lambda x: _search(
                x,
                lambda m: any(np.array_equal(a, b) for a, b in pairwise(m)),
            ),
            "it compares neighbours only. Replicas 1 and 3 may share, and 2 not.",
        ),
        PLACE.mistake(
            "all_replicas",
            lambda x: _search(x, lambda m: bool((m == m[0]).all())),
            "it asks whether ALL replicas have the same mask. Two are enough.",
        ),
        PLACE.mistake(
            "by_layer",
            lambda x: _search(x, _any_two, by_layer=True),
            "it goes through the layers first. Asked is the first step, and in it the "
            "first layer.",
        ),
        PLACE.mistake(
            "first_row",
            lambda x: _search(x, lambda m: _any_two(m[:, 0])),
            "it compares the first rows only, which may agree by chance. Compare all "
            "rows of the replicas.",
        ),
        PLACE.mistake(
            "one_row",
            lambda x: _search(
                x, lambda m: any(_any_two(rows) for rows in m.swapaxes(0, 1))
            ),
            "it takes one equal row for enough, which may come by chance. All rows of "
            "two replicas must be equal.",
        ),
        PLACE.mistake(
            "rows_anywhere",
            lambda x: _search(x, lambda m: not _distinct(m.reshape(-1, UNITS))),
            "it compares single rows, wherever they stand, not whole masks of "
            "replicas.",
        ),
        PLACE.mistake(
            "equal_share",
            lambda x: _search(x, lambda m: _any_two(m.mean(axis=(1, 2)))),
            "it compares how much is kept, not the masks themselves.",
        ),
        PLACE.mistake(
            "everywhere",
            lambda x: (0, 0),
            "it finds something in every recording, at once: it compares a replica "
            "with itself.",
        ),
        PLACE.mistake(
            "single_values",
            lambda x: _search(x, lambda m: len(np.unique(m)) < len(m)),
            "it counts single values, True and False, not masks: np.unique needs "
            "axis=0.",
        ),
        PLACE.mistake(
            "four_replicas",
            lambda x: _search(x, lambda m: len(np.unique(m, axis=0)) < 4),
            "it takes for granted that there are four replicas. masks.shape says how "
            "many there are.",
        ),
        PLACE.mistake(
            "across_layers",
            _remembering,
            "it also compares masks of different layers. Asked is what replicas share "
            "within one layer.",
        ),
        PLACE.mistake(
            "repeated_steps",
            _repeats,
            "it looks for masks that are repeated from step to step. Asked is what "
            "replicas share within a step.",
        ),
        PLACE.mistake(
            "one_step_late",
            _one_late,
            "the step is one too large: the first one is step 0.",
        ),
        PLACE.mistake(
            "order_of_the_pair",
            _swapped,
            "layer and step are swapped. Return (step, layer).",
        ),
    ),
    right="Right on eight recordings, three of them without a fault.",
)
