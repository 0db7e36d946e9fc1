"""Further: calls that all fit together, in which no sum is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Data
from course.checks.failures import WrongReturn
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


def _odd_sizes(case: Calls) -> int:
    """Return how many numbers of elements occur an odd number of times."""
    return sum(n % 2 for n in Counter(size for _, size in case.calls).values())


def observe(mix_up: Callable, case: Calls) -> Data:
    """Return where each call of worker 1 stands in worker 0's list; -1: nowhere.

    Raises:
        WrongReturn: the function returned no list of (name, elements).
    """
    answer = mix_up(list(case.calls))
    try:
        calls = [(str(name), int(elements)) for name, elements in answer]
    except (TypeError, ValueError):
        wanted = "a list of (name, elements), in the order of worker 1's calls"
        raise WrongReturn.of(answer, wanted) from None
    places = {call: k for k, call in enumerate(case.calls)}
    return {"places": np.array([places.get(call, -1) for call in calls], int)}


def holds(case: Calls, data: Data) -> Mapping[str, bool]:
    """Say what TensorFlow would do: it joins the calls of both workers one by one.

    The last three only tell apart how `fits` or `wrong` is violated.
    """
    places = np.asarray(data["places"], int).tolist()
    sizes = [elements for _, elements in case.calls]
    each_once = Counter(places) == Counter(range(len(sizes)))
    pairs = list(enumerate(places)) if each_once else []  # else they say nothing
    fits = all(sizes[k] == sizes[place] for k, place in pairs)
    same = [k for k, place in pairs if k == place]
    back_and_forth = fits and all(places[place] == k for k, place in pairs)
    return {
        "known": -1 not in places,
        "number": len(places) == len(sizes),
        "once": len(set(places)) == len(places),
        "fits": fits,
        "wrong": not same,
        "moved": len(same) < len(sizes),
        "turned": not pairs or places != [*range(len(sizes))][::-1],
        "pairs": not (back_and_forth and 0 < len(same) == _odd_sizes(case)),
    }


PROPERTIES = Properties(
    {
        "known": Property(
            "In some list, worker 1 makes a call that is not in `calls`: that name "
            "with that number of elements.",
            "the calls of worker 0, each once, in another order.",
        ),
        "number": Property(
            "In some list, worker 1 does not make as many calls as worker 0.",
            "the calls of worker 0, each once, in another order.",
        ),
        "once": Property(
            "In some list, worker 1 makes a call twice.",
            "the calls of worker 0, each once, in another order.",
        ),
        "fits": Property(
            "In some list, two calls that meet have different numbers of elements: a "
            "worker gets an error.",
            "two calls that meet have the same number of elements.",
        ),
        "wrong": Property(
            "In some list, a gradient meets itself, and its sum is right.",
            "no gradient meets itself.",
        ),
        "moved": Property("No call has moved.", "another order."),
        "turned": Property("It is the reversed list.", "another order."),
        "pairs": Property("Calls are exchanged in pairs only.", "another order."),
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
            ["wrong", "moved"],
            "worker 1 makes the calls in worker 0's order, so every sum is right. Each "
            "sum must be wrong.",
        ),
        _mistake(
            "some_in_place",
            ["wrong"],
            "the sizes fit, but at least one call keeps its place, so its sum is "
            "right. Each sum must be wrong.",
        ),
        _mistake(
            "reversed",
            lambda case: ["fits", "turned"] + ["wrong"] * (len(case.calls) % 2),
            "it reverses the list, so calls of different sizes meet, and TensorFlow "
            "stops a worker with an error. Move calls only among those of one size.",
        ),
        _mistake(
            "other_sizes",
            ["fits"],
            "calls of different sizes meet. TensorFlow compares the sizes of two calls "
            "that meet, and stops a worker with an error.",
        ),
        _mistake(
            "some_of_both",
            ["fits", "wrong"],
            "some of the calls that meet have different sizes, and some are the same "
            "call. Move every call, but only among calls of its size.",
        ),
        _mistake(
            "swapped_in_pairs",
            lambda case: ["wrong", "pairs"] * bool(_odd_sizes(case)),
            "calls of one size are exchanged in pairs. Where there are three of them, "
            "one is left over, and its sum is right.",
        ),
        _mistake(
            "unknown_call",
            ["known", "once"],
            "worker 1 makes calls that worker 0 does not make. Only the order may "
            "differ: each name keeps its number of elements.",
        ),
        _mistake(
            "one_unknown_call",
            ["known"],
            "worker 1 makes a call that worker 0 does not make. Only the order may "
            "differ: each name keeps its number of elements.",
        ),
        _mistake(
            "one_twice",
            ["once"],
            "worker 1 makes one of the calls twice, and leaves one out. The logs then "
            "show different calls.",
        ),
        _mistake(
            "fewer_calls",
            ["number"],
            "worker 1 makes fewer calls than worker 0, so worker 0 is left waiting.",
        ),
        _mistake(
            "another_number_of_calls",
            ["number", "once"],
            "worker 1 makes some calls twice, and does not make as many calls as "
            "worker 0. The worker with more calls is left waiting.",
        ),
    ),
    holds,
    right="Nobody waits, nobody gets an error, the logs have the same calls, and no "
    "sum is right. Two real workers do the same: see the next cell.",
)
