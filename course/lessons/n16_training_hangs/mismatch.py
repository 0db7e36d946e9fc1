"""Further exercise: find, before the first step, gradients that do not fit together."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator

import numpy as np
import tensorflow as tf

from course.checks.exercises import Exercise
from course.lessons.n16_training_hangs.mismatch_case import (
    Kind,
    Rule,
    compare,
    draw,
    expect,
    mistake,
    observe,
)


def _first_unlike(columns: list[tuple]) -> int | None:
    return next((k for k, each in enumerate(columns) if len(set(each)) > 1), None)


def _number(value: object) -> int:
    return int.from_bytes(hashlib.sha256(str(value).encode()).digest()[:3], "big")


def _size(kind: Kind) -> int:
    return int(np.prod(kind[1]))


def _by(part: Callable[[Kind], object], found=_first_unlike, most: bool = True) -> Rule:
    """Compare one part of each kind; lists of another length are filled up."""

    def rule(kinds: list[Kind]) -> Generator:
        numbers = [_number(part(kind)) for kind in kinds]
        if most:
            lengths = yield [len(numbers)]
            longest = max(own for (own,) in lengths)
            numbers += [-1] * (longest - len(numbers))
        everyone = yield numbers
        return found(list(zip(*everyone, strict=True)))

    return rule


def _shortest(kinds: list[Kind]) -> Generator:
    lengths = yield [len(kinds)]
    shortest = min(own for (own,) in lengths)
    everyone = yield [_number(kind) for kind in kinds[:shortest]]
    return _first_unlike(list(zip(*everyone, strict=True)))


def _number_only(kinds: list[Kind]) -> Generator:
    lengths = [own for (own,) in (yield [len(kinds)])]
    return min(lengths) if len(set(lengths)) > 1 else None


def _number_first(kinds: list[Kind]) -> Generator:
    lengths = [own for (own,) in (yield [len(kinds)])]
    if len(set(lengths)) > 1:
        return min(lengths)
    everyone = yield [_number(kind) for kind in kinds]
    return _first_unlike(list(zip(*everyone, strict=True)))


def _own_number(kinds: list[Kind]) -> Generator:
    for k, kind in enumerate(kinds):
        column = yield [_number(kind)]
        if len({number for (number,) in column}) > 1:
            return k
    return None


def _last_unlike(columns: list[tuple]) -> int | None:
    return max((k for k, e in enumerate(columns) if len(set(e)) > 1), default=None)


def _two_only(columns: list[tuple]) -> int | None:
    return next((k for k, each in enumerate(columns) if each[0] != each[1]), None)


def _from_1(columns: list[tuple]) -> int | None:
    found = _first_unlike(columns)
    return None if found is None else found + 1


def _never(kinds: list[Kind]) -> Generator:
    yield from ()


MY_FIRST_MISMATCH = Exercise(
    name="16/my_first_mismatch",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=(
        mistake(
            "sizes_only",
            _by(_size, most=False),
            "the workers hand in one number for each gradient. Where they have "
            "different numbers of gradients, this question is itself a collective "
            "that does not fit, and hangs. Agree on something of a fixed size first.",
        ),
        mistake(
            "sizes_compared",
            _by(_size),
            "only numbers of elements are compared. Two dtypes, or the shapes [3, 4] "
            "and [12], can have the same number, and do not fit.",
        ),
        mistake(
            "dtypes_only",
            _by(lambda kind: kind[0]),
            "only dtypes are compared, not shapes.",
        ),
        mistake(
            "shapes_only",
            _by(lambda kind: kind[1]),
            "only shapes are compared, not dtypes.",
        ),
        mistake(
            "dtypes_and_sizes",
            _by(lambda kind: (kind[0], _size(kind))),
            "shapes are compared by their numbers of elements: [3, 4], [4, 3] and [12] "
            "have the same.",
        ),
        mistake(
            "dtypes_and_axes",
            _by(lambda kind: (kind[0], len(kind[1]))),
            "of the shapes, only the number of axes is compared.",
        ),
        mistake(
            "common_part_only",
            _shortest,
            "only the gradients that all workers have are compared. One that some of "
            "them lack does not fit either.",
        ),
        mistake(
            "each_its_own_number",
            _own_number,
            "each worker asks as often as it has gradients. One that has more asks "
            "once more than the others, and meets their next question, or waits. Agree "
            "on something of a fixed size first.",
        ),
        mistake(
            "dtypes_by_bytes",
            _by(lambda kind: (tf.as_dtype(kind[0]).size, kind[1])),
            "dtypes are compared by their bytes: float16 and bfloat16 have two each, "
            "and do not fit.",
        ),
        mistake(
            "shapes_filled_with_1",
            _by(lambda kind: (kind[0], (*kind[1], 1, 1, 1, 1)[:4])),
            "shapes are filled up with 1, so that [5] and [5, 1] look the same.",
        ),
        mistake(
            "number_only",
            _number_only,
            "only the numbers of gradients are compared.",
        ),
        mistake(
            "number_before_kinds",
            _number_first,
            "different numbers of gradients end the search at the shorter list's end, "
            "though an earlier gradient may differ already.",
        ),
        mistake(
            "last_one",
            _by(str, _last_unlike),
            "it returns the last one that differs; the first is asked for.",
        ),
        mistake(
            "two_workers_only",
            _by(str, _two_only),
            "only workers 0 and 1 are compared. There can be more.",
        ),
        mistake("from_1", _by(str, _from_1), "it counts from 1; the first is 0."),
        mistake("never", _never, "it never finds anything."),
    ),
    right="All real workers found the same gradient in every model, and nobody waited.",
)
