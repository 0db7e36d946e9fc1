"""Further exercise: one generator for each replica, independent and reproducible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import tensorflow as tf

from course.checks.exercises import Data, Observation, shown_by
from course.checks.failures import WrongReturn
from course.checks.properties import Properties, Property

NUMBERS = 64  # drawn from each generator
FAR = 2**40  # blocks of numbers; no training draws as many


@dataclass(frozen=True)
class Streams:
    """Generators for `replicas` replicas from one seed."""

    seed: int
    replicas: int

    def __str__(self) -> str:
        return f"seed {self.seed} and {self.replicas} replicas"


def draw(rng: np.random.Generator) -> list[Streams]:
    """Draw seeds."""
    first, second = rng.choice(np.arange(5, 500), 2, replace=False)
    return [Streams(int(first), 4), Streams(int(second), 3)]


MUST_HOLD = Properties(
    {
        "apart": Property(
            "Two replicas draw the same numbers.",
            "every replica has a stream of its own.",
        ),
        "own_state": Property(
            "What a replica draws depends on what the others have drawn before.",
            "every replica has a state of its own.",
        ),
        "repeatable": Property(
            "A second call with the same seed gives other numbers.",
            "the same seed gives the same numbers.",
        ),
        "seeded": Property(
            "With another seed, a replica draws the same numbers as before.",
            "every replica's numbers depend on the seed.",
        ),
        "overlap": Property(
            "Two replicas draw from ONE stream, from places that are near each other.",
            "streams that have nothing in common, however much is drawn.",
        ),
        "neighbours": Property(
            "With the next seed, some replica draws numbers of this seed.",
            "neighbouring seeds give streams that have nothing in common.",
        ),
    }
)


def _observe(function: Callable, case: Streams) -> Data:
    """Draw from generators that are made in several ways.

    Int64 arrays of shape (replicas, NUMBERS): "first"; "again", after other draws;
    "backwards", the last replica drawing first; "other", of another seed. "states",
    and "next" of the next seed: int64, (replicas, 3), each a counter (low, high) and a
    key, of new generators.
    """
    first = _numbers(function, case.seed, case.replicas)
    tf.random.normal([3])  # the global state must not matter
    return {
        "first": first,
        "again": _numbers(function, case.seed, case.replicas),
        "backwards": _numbers(function, case.seed, case.replicas, backwards=True),
        "other": _numbers(function, 2 * case.seed + 1, case.replicas),
        "states": _states(function, case.seed, case.replicas),
        "next": _states(function, case.seed + 1, case.replicas),
    }


def _states(function: Callable, seed: int, replicas: int) -> np.ndarray:
    states = [generator.state.numpy() for generator in function(seed, replicas)]
    # a generator of another algorithm has a shorter counter
    return np.array([np.pad(s, (3 - s.size, 0)) for s in states], np.int64)


def _holds(case: Streams, seen: Data) -> dict[str, bool]:
    first = seen["first"]
    apart = not any(np.array_equal(a, b) for a, b in combinations(first, 2))
    repeatable = np.array_equal(first, seen["again"])
    pairs = zip(first, seen["other"], strict=True)
    seeded = not any(np.array_equal(a, b) for a, b in pairs)
    sound = apart and repeatable and seeded  # else nothing more is worth saying
    own, following = (_places(seen[name]) for name in ("states", "next"))
    alone = not any(_meet(a, b) for a, b in combinations(own, 2) if a != b)
    return {
        "apart": apart,
        "repeatable": repeatable,
        "own_state": not repeatable or np.array_equal(first, seen["backwards"]),
        "seeded": seeded,
        "overlap": not sound or alone,
        "neighbours": not (sound and alone)
        or not any(_meet(a, b) for a in own for b in following),
    }


def _seen(function: Callable, case: Streams) -> Observation:
    return MUST_HOLD.observation(_holds(case, _observe(function, case)))


def _places(states: np.ndarray) -> list[tuple[int, int]]:
    """Return the key and the counter of each state."""
    places = []
    for state in states.view(np.uint64):
        *counter, key = (int(part) for part in state)
        places.append((key, sum(part << 64 * n for n, part in enumerate(counter))))
    return places


def _meet(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Return whether two generators count along one stream, less than FAR apart.

    A counter-based generator (Philox, ThreeFry) is a key and a counter; the same key
    and a larger counter is a later place in the same stream.
    """
    return a[0] == b[0] and abs(a[1] - b[1]) < FAR


def _numbers(
    function: Callable, seed: int, replicas: int, backwards: bool = False
) -> np.ndarray:
    """Return what the generators draw: int64, shape (replicas, NUMBERS).

    Raises:
        WrongReturn: the function did not return one generator for each replica.
    """
    made = function(seed, replicas)
    listed = list(made) if isinstance(made, (list, tuple)) else [made]
    kinds = [type(each).__name__ for each in listed]
    real = all(isinstance(each, tf.random.Generator) for each in listed)
    if not real or len(listed) != replicas:
        what = f"{len(listed)} of {', '.join(sorted(set(kinds)))}" if kinds else "none"
        wanted = f"a list of {replicas} tf.random.Generator, one for each replica"
        raise WrongReturn.of(made, wanted, what)
    order = range(replicas)
    drawn = {
        r: listed[r].uniform_full_int([NUMBERS], dtype=tf.int64).numpy()
        for r in (reversed(order) if backwards else order)
    }
    return np.array([drawn[r] for r in order])


def neighbouring_seeds(seed: int, replicas: int) -> list[tf.random.Generator]:
    """From_seed only chooses a place in ONE stream, so replica 1's numbers are replica
    0's, a little later. Seeds that are further apart, or skip, only move the place: a
    long training gets there.
    """
    return [tf.random.Generator.from_seed(seed + r) for r in range(replicas)]


def same_seed(seed: int, replicas: int) -> list[tf.random.Generator]:
    """Every replica starts from the same seed, so all draw the same numbers."""
    return [tf.random.Generator.from_seed(seed) for _ in range(replicas)]


def no_seed(seed: int, replicas: int) -> list[tf.random.Generator]:
    """The generators are not made from the seed, so no run can be repeated."""
    return tf.random.Generator.from_non_deterministic_state().split(replicas)


def seed_ignored(seed: int, replicas: int) -> list[tf.random.Generator]:
    """The generators are reproducible, but some or all of them do not depend on the
    seed.
    """
    return tf.random.Generator.from_seed(42).split(replicas)


def one_generator(seed: int, replicas: int) -> list[tf.random.Generator]:
    """All replicas hold the same generator object. Who draws first gets other numbers
    than who draws second.
    """
    return [tf.random.Generator.from_seed(seed)] * replicas


def split_of_neighbours(seed: int, replicas: int) -> list[tf.random.Generator]:
    """Runs with neighbouring seeds share numbers. From_seed only chooses a place in one
    stream, near that of the next seed, and split draws its keys there; or seed and
    replica are counted along the same stream, or added up.
    """
    return tf.random.Generator.from_seed(seed).split(replicas)


GENERATORS = MUST_HOLD.exercise(
    name="04/my_generators",
    cases=draw,
    observe=_observe,
    holds=_holds,
    mistakes=shown_by(
        _seen,
        neighbouring_seeds,
        same_seed,
        no_seed,
        seed_ignored,
        one_generator,
        split_of_neighbours,
    ),
    right="Every replica has a stream of its own, the same for the same seed, and no "
    "number in common with another replica, or with a run of the next seed.",
)
