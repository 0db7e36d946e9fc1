"""Further: calls that all fit together, in which no sum is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Data
from course.checks.properties import Properties, Property

Call = tuple[str, int]  # a gradient's name, and how many elements it has
WORDS = ("kernel", "bias", "gamma", "beta", "table", "scale", "gate", "query", "value")


@dataclass(frozen=True)
class Calls:
    """What worker 0 hands in, one all-reduce after the other."""

    calls: tuple[Call, ...]

    def __str__(self) -> str:
        return "calls of " + ", ".join(f"{name} ({n})" for name, n in self.calls)


def draw(rng: np.random.Generator) -> list[Calls]:
    """Draw lists in which each number of elements occurs two or three times."""
    return [_drawn(rng, times) for times in ((2, 2), (3, 2), (2, 3, 3))]


def _drawn(rng: np.random.Generator, times: tuple[int, ...]) -> Calls:
    sizes = rng.choice(np.arange(1, 10), len(times), replace=False)
    all_sizes = np.repeat(sizes, times)
    while True:
        mixed = rng.permutation(all_sizes)
        # neighbours of one size, and others, so that no turn of the whole list fits
        if 0 < np.sum(mixed[1:] == mixed[:-1]) < len(mixed) - 1 and not _turns(mixed):
            break
    names = rng.choice(WORDS, len(mixed), replace=False)
    return Calls(tuple(zip(map(str, names), map(int, mixed), strict=True)))


def _turns(sizes: np.ndarray) -> bool:
    """Whether the list fits on itself turned round, or shifted by some places."""
    shifted = (np.roll(sizes, k) for k in range(1, len(sizes)))
    return any(np.array_equal(sizes, other) for other in (sizes[::-1], *shifted))


def _often(case: Calls) -> Counter:
    """Return how many calls have each number of elements."""
    return Counter(elements for _, elements in case.calls)


def observe(mix_up: Callable, case: Calls) -> Data:
    """Return where each call of worker 1 stands in worker 0's list; -1: nowhere.

    Raises:
        TypeError: the function returned no list of (name, elements).
    """
    answer = mix_up(list(case.calls))
    try:
        calls = [(str(name), int(elements)) for name, elements in answer]
    except (TypeError, ValueError):
        raise TypeError(
            f"the function returned {answer!r}; it must return a list of (name, "
            "elements), in the order in which worker 1 makes these calls"
        ) from None
    places = {call: k for k, call in enumerate(case.calls)}
    return {"places": np.array([places.get(call, -1) for call in calls], int)}


def holds(case: Calls, data: Data) -> Mapping[str, bool]:
    """Say what TensorFlow would do: it joins the calls of both workers one by one."""
    places = np.asarray(data["places"], int).tolist()
    sizes = [elements for _, elements in case.calls]
    pairs = list(zip(range(len(sizes)), places, strict=False))
    once = Counter(places) == Counter(range(len(sizes)))  # else the rest says nothing
    return {
        "once": once,
        "fits": not once or all(sizes[k] == sizes[place] for k, place in pairs),
        "wrong": not once or all(k != place for k, place in pairs),
    }


PROPERTIES = Properties(
    {
        "once": Property(
            "In some list, worker 1 does not hand in each of its gradients once.",
            "the same calls, each once, in another order.",
        ),
        "fits": Property(
            "In some list, two calls that meet have other numbers of elements: a "
            "worker gets an error.",
            "calls of equal numbers of elements meet.",
        ),
        "wrong": Property(
            "In some list, a gradient meets itself, and its sum is right.",
            "no gradient meets itself.",
        ),
    }
)
_mistake = PROPERTIES.mistake
MY_MIX_UP = PROPERTIES.exercise(
    "17/my_mix_up",
    draw,
    observe,
    (
        _mistake(
            "in_order",
            ["wrong"],
            "all or some of the calls stand where worker 0 has them. Each sum is to be "
            "wrong, so none of them may.",
        ),
        _mistake(
            "other_sizes",
            ["fits"],
            "the calls stand in another order, whatever their numbers of elements. "
            "TensorFlow compares the sizes of two calls that meet, and stops.",
        ),
        _mistake(
            "some_of_both",
            ["fits", "wrong"],
            "of the calls that meet, some are of other sizes, and some are the same. "
            "Turning a list round keeps the middle, and no size in its place.",
        ),
        _mistake(
            "swapped_in_pairs",
            lambda case: ["wrong"] * any(n % 2 for n in _often(case).values()),
            "calls of one size are exchanged in pairs. Where there are three of them, "
            "one is left, and its sum is right.",
        ),
        _mistake(
            "not_all",
            ["once"],
            "a gradient is handed in twice, or never, or there is a call more or less: "
            "somebody would wait in the end.",
        ),
    ),
    holds,
    right="Nobody waits, nobody gets an error, the logs have the same calls, and no "
    "sum is right. Two real workers do the same: see the last cell.",
)
