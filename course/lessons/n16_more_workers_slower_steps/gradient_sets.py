"""Lists of tensors of many shapes and dtypes, drawn for two workers, and their sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, zip_longest

import numpy as np

from course.checks.exercises import Data, Observation
from course.lessons.n16_more_workers_slower_steps.linked_workers import messages_for
from course.lessons.n16_more_workers_slower_steps.worker_stages import WORKERS

Arrays = list[np.ndarray]
Own = Sequence[Arrays]  # [worker][tensor]

SHAPES = ((3, 4), (4,), (), (5, 1), (2, 3, 2), (1,), (6,), ())
LARGE = (40, 30)
# how many tensors of each dtype a set has
KINDS = (
    {"float32": 8},
    {"float32": 4, "float64": 3, "float16": 2, "int32": 2},
    {"int64": 3, "float32": 2, "float64": 2},
)


@dataclass(frozen=True, eq=False)
class Case:
    """What two workers are given.

    sets: [set][worker][tensor].
    """

    sets: Sequence[Own]

    def __str__(self) -> str:
        told = [
            f"{len(own[0])} of {len(kinds)} dtype{'s' * (len(kinds) > 1)}"
            for own, kinds in zip(self.sets, KINDS, strict=True)
        ]
        return f"lists of gradients on two real workers: {', '.join(told)}"


def fewest(case: Case) -> tuple[int, ...]:
    """The messages that each set needs with one all-reduce for each dtype."""
    return tuple(messages_of(pack_sizes(own[0])) for own in case.sets)


def sums(case: Case) -> list[Own]:
    """What each worker should have of each set."""
    return [[total(own)] * WORKERS for own in case.sets]


def sizes(arrays: Arrays) -> list[int]:
    """The bytes of each tensor."""
    return [array.nbytes for array in arrays]


def by_dtype(arrays: Arrays) -> list[Arrays]:
    """The tensors of each dtype, in the order in which dtypes come."""
    found: dict[np.dtype, Arrays] = {}
    for array in arrays:
        found.setdefault(array.dtype, []).append(array)
    return list(found.values())


def pack_sizes(arrays: Arrays) -> list[int]:
    """The bytes of one pack for each dtype."""
    return [sum(sizes(alike)) for alike in by_dtype(arrays)]


def neighbour_sizes(arrays: Arrays) -> list[int]:
    """The bytes of one pack for each run of neighbours of one dtype."""
    runs = groupby(arrays, key=lambda array: array.dtype)
    return [sum(sizes(list(alike))) for _, alike in runs]


def floats_packed_sizes(arrays: Arrays) -> list[int]:
    """The bytes of one pack of float32, and of each other tensor alone."""
    floats = [a for a in arrays if a.dtype == np.float32]
    return [sum(sizes(floats)), *sizes([a for a in arrays if a.dtype != np.float32])]


def messages_of(all_reduces: list[int]) -> int:
    """Messages of all-reduces of so many bytes each."""
    return sum(map(messages_for, all_reduces))


def total(own: Own) -> Arrays:
    """Add up the workers' tensors."""
    return [np.add(a, b) for a, b in zip(*own, strict=True)]


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw three sets, of one dtype and of several in any order."""
    return [Case(tuple(_set(rng, kinds) for kinds in KINDS))]


def _set(rng: np.random.Generator, kinds: dict[str, int]) -> Own:
    while True:
        drawn = _candidate(rng, kinds)
        own = drawn[0]
        saved = messages_of(sizes(own)) - messages_of(pack_sizes(own))
        partly = [messages_of(f(own)) for f in (neighbour_sizes, floats_packed_sizes)]
        if saved > 1 and (len(kinds) == 1 or partly[0] != partly[1]):
            return drawn


def _candidate(rng: np.random.Generator, kinds: dict[str, int]) -> Own:
    dtypes = [dtype for dtype, count in kinds.items() for _ in range(count)]
    while True:  # not sorted by dtype: the order of the tensors matters
        mixed = [dtypes[i] for i in rng.permutation(len(dtypes))]
        if len(kinds) == 1 or _runs(mixed) > len(kinds) + 1:
            break
    shapes = [SHAPES[i] for i in rng.integers(len(SHAPES), size=len(mixed))]
    # a scalar and a large one are always there, at different places. None is empty:
    # TensorFlow 2.21 may kill a worker that all-reduces an empty tensor alone
    places = rng.permutation(len(mixed))[:2]
    for place, shape in zip(places, ((), LARGE), strict=True):
        shapes[place] = shape
    return tuple(
        [_values(rng, np.dtype(d), s) for d, s in zip(mixed, shapes, strict=True)]
        for _ in range(WORKERS)
    )


def _runs(dtypes: list[str]) -> int:
    return 1 + sum(a != b for a, b in pairwise(dtypes))


def _values(rng: np.random.Generator, dtype: np.dtype, shape: tuple) -> np.ndarray:
    """Values that a smaller dtype can't hold; sums of float16 are exact."""
    draws = {
        "int64": lambda: rng.integers(2**60, 2**61, shape),
        "int32": lambda: rng.integers(2**26, 2**27, shape),
        "float64": lambda: rng.uniform(1e5, 2e5, shape),
        "float32": lambda: rng.normal(2.0, 1.5, shape),
        "float16": lambda: rng.integers(-400, 400, shape) / 64 + 9.5,
    }
    return np.asarray(draws[dtype.name]()).astype(dtype)


def plain(results: Sequence[Own], messages: Sequence[int]) -> Data:
    """Return what the workers have, [set][worker][tensor], as plain data."""
    data = {"messages": np.array(messages)}
    for place, arrays in _each_list(results):
        data[f"{place}/dtypes"] = np.array([str(array.dtype) for array in arrays], str)
        for number, array in enumerate(arrays):
            whole = array.dtype.kind in "iu"
            data[f"{place}/{number}"] = array if whole else array.astype(np.float64)
    return data


def read(case: Case, data: Data) -> Observation:
    """Turn plain data into numbers."""
    results = [[[] for _ in own] for own in case.sets]
    for place, arrays in _each_list(results):
        for number, dtype in enumerate(data[f"{place}/dtypes"].tolist()):
            arrays.append(data[f"{place}/{number}"].astype(dtype))
    return judged(results, tuple(data["messages"].tolist()), case)


def _each_list(results: Sequence[Own]) -> Iterator[tuple[str, Arrays]]:
    """Yield a name for each set and worker, and the worker's tensors."""
    for number, workers in enumerate(results):
        for worker, arrays in enumerate(workers):
            yield f"{number}/{worker}", arrays


def judged(
    results: Sequence[Own], messages: tuple[int, ...], case: Case
) -> Observation:
    """Turn what the workers have, [set][worker][tensor], into numbers."""
    values, whole, lengths, dtypes, shapes, faults = [], [], [], [], [], []
    for workers, wanted in zip(results, sums(case), strict=True):
        for arrays, right in zip(workers, wanted, strict=True):
            lengths.append(len(arrays))
            for array, spec in zip_longest(arrays, right[: len(arrays)]):
                dtypes.append(int(spec is not None and array.dtype == spec.dtype))
                shapes.append(int(spec is not None and array.shape == spec.shape))
                if array.dtype.kind in "iu":
                    whole += map(int, array.ravel())
                else:
                    values.append(array.astype(np.float64).ravel())
            faults.append(_fault(arrays, right))
    over = [max(0, m - few) for m, few in zip(messages, fewest(case), strict=True)]
    return Observation(
        np.concatenate([*values, np.zeros(0)]),
        {
            "tensors": tuple(lengths),
            "dtypes": tuple(dtypes),
            "shapes": tuple(shapes),
            "whole numbers": tuple(whole),
            "messages too many": tuple(over),
        },
        told=_told(messages, faults),
    )


def _fault(arrays: Arrays, right: Arrays) -> str:
    """Return what is wrong with the first tensor that differs; "" if none does."""
    if len(arrays) != len(right):
        return (
            f"the function got {len(right)} gradients and returned {len(arrays)} sums"
        )
    for at, (array, spec) in enumerate(zip(arrays, right, strict=True)):
        if array.dtype != spec.dtype or array.shape != spec.shape:
            kind = f"{array.dtype} of shape {array.shape}"
            return f"sum {at} is {kind}; it must be {spec.dtype} of shape {spec.shape}"
        whole = array.dtype.kind in "iu"
        close = array == spec if whole else np.isclose(array, spec, rtol=0, atol=1e-5)
        if not close.all():
            wrong = int(np.argmin(close))  # its place in the flat array
            place = [int(each) for each in np.unravel_index(wrong, array.shape)]
            return (
                f"sum {at} ({spec.dtype} of shape {spec.shape}) must be "
                f"{spec.flat[wrong]!s}{f' at {place}' * bool(place)}, "
                f"but it is {array.flat[wrong]!s}"
            )
    return ""


def _told(messages: tuple[int, ...], faults: list[str]) -> str:
    counts = ", ".join(map(str, messages))
    said = f"Messages counted at the link, for each list: {counts}."
    for number, fault in enumerate(faults):
        if fault:
            where = f"In list {number // WORKERS}, on worker {number % WORKERS}"
            return f"{said} {where}, {fault}."
    return f"{said} All sums are right."
