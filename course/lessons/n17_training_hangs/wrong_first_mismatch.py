"""Wrong answers to 17/my_first_mismatch: each is the mistake of its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from zlib import crc32

import numpy as np
import tensorflow as tf

from course.checks.exercises import wrong_answers

Gradients = Sequence[tf.Tensor]
Gather = Callable[[list[int]], list[list[int]]]


def _number(value: object) -> int:
    return crc32(str(value).encode()) % 2**31


def _kind(gradient: tf.Tensor) -> int:
    return _number((gradient.dtype.name, gradient.shape))


def _size(gradient: tf.Tensor) -> int:
    return int(np.prod(gradient.shape))


def _columns(
    gradients: Gradients, gather: Gather, number: Callable[[tf.Tensor], int]
) -> list[tuple[int, ...]]:
    """Return for each gradient what it is for each worker; -1 where one has none."""
    longest = max(length for (length,) in gather([len(gradients)]))
    own = [number(each) for each in gradients]
    return list(zip(*gather(own + [-1] * (longest - len(own))), strict=True))


def _first_unlike(columns: Iterable[Sequence[int]]) -> int | None:
    return next((k for k, each in enumerate(columns) if len(set(each)) > 1), None)


def sizes_only(gradients: Gradients, gather: Gather) -> int | None:
    """The workers hand in one number for each gradient. Where they have different
    numbers of gradients, this question is itself a collective that does not fit, and
    hangs. Agree on something of a fixed size first.
    """
    return _first_unlike(zip(*gather([_size(g) for g in gradients]), strict=True))


def sizes_compared(gradients: Gradients, gather: Gather) -> int | None:
    """Only numbers of elements are compared. Two dtypes, or the shapes [3, 4] and [12],
    can have the same number, and do not fit.
    """
    return _first_unlike(_columns(gradients, gather, _size))


def dtypes_only(gradients: Gradients, gather: Gather) -> int | None:
    """Only dtypes are compared, not shapes."""
    columns = _columns(gradients, gather, lambda g: g.dtype.as_datatype_enum)
    return _first_unlike(columns)


def shapes_only(gradients: Gradients, gather: Gather) -> int | None:
    """Only shapes are compared, not dtypes."""
    return _first_unlike(_columns(gradients, gather, lambda g: _number(g.shape)))


def dtypes_and_sizes(gradients: Gradients, gather: Gather) -> int | None:
    """Shapes are compared by their numbers of elements: [3, 4], [4, 3] and [12] have
    the same.
    """

    def number(gradient: tf.Tensor) -> int:
        return _number((gradient.dtype.name, _size(gradient)))

    return _first_unlike(_columns(gradients, gather, number))


def dtypes_and_axes(gradients: Gradients, gather: Gather) -> int | None:
    """Of the shapes, only the number of axes is compared."""

    def number(gradient: tf.Tensor) -> int:
        return _number((gradient.dtype.name, len(gradient.shape)))

    return _first_unlike(_columns(gradients, gather, number))


def common_part_only(gradients: Gradients, gather: Gather) -> int | None:
    """Only the gradients that all workers have are compared. One that some of them lack
    does not fit either.
    """
    shortest = min(length for (length,) in gather([len(gradients)]))
    table = gather([_kind(each) for each in gradients[:shortest]])
    return _first_unlike(zip(*table, strict=True))


def each_its_own_number(gradients: Gradients, gather: Gather) -> int | None:
    """Each worker asks as often as it has gradients. One that has more asks once more
    than the others, and meets their next question, or waits. Agree on something of a
    fixed size first.
    """
    for number, each in enumerate(gradients):
        if len({kind for (kind,) in gather([_kind(each)])}) > 1:
            return number
    return None


def dtypes_by_bytes(gradients: Gradients, gather: Gather) -> int | None:
    """Dtypes are compared by their bytes: float16 and bfloat16 have two each, and do
    not fit.
    """

    def number(gradient: tf.Tensor) -> int:
        return _number((gradient.dtype.size, gradient.shape))

    return _first_unlike(_columns(gradients, gather, number))


def shapes_filled_with_1(gradients: Gradients, gather: Gather) -> int | None:
    """Shapes are filled up with 1, so that [5] and [5, 1] look the same."""

    def number(gradient: tf.Tensor) -> int:
        return _number((gradient.dtype.name, [*gradient.shape, 1, 1, 1, 1][:4]))

    return _first_unlike(_columns(gradients, gather, number))


def number_only(gradients: Gradients, gather: Gather) -> int | None:
    """Only the numbers of gradients are compared."""
    lengths = [length for (length,) in gather([len(gradients)])]
    return min(lengths) if len(set(lengths)) > 1 else None


def number_before_kinds(gradients: Gradients, gather: Gather) -> int | None:
    """Different numbers of gradients end the search at the shorter list's end, though
    an earlier gradient may differ already.
    """
    shorter = number_only(gradients, gather)
    if shorter is not None:
        return shorter
    return _first_unlike(zip(*gather([_kind(g) for g in gradients]), strict=True))


def last_one(gradients: Gradients, gather: Gather) -> int | None:
    """It returns the last one that differs; the first is asked for."""
    columns = _columns(gradients, gather, _kind)
    unlike = [number for number, each in enumerate(columns) if len(set(each)) > 1]
    return unlike[-1] if unlike else None


def two_workers_only(gradients: Gradients, gather: Gather) -> int | None:
    """Only workers 0 and 1 are compared. There can be more."""
    return _first_unlike(each[:2] for each in _columns(gradients, gather, _kind))


def from_1(gradients: Gradients, gather: Gather) -> int | None:
    """It counts from 1; the first is 0."""
    found = _first_unlike(_columns(gradients, gather, _kind))
    return None if found is None else found + 1


def never(gradients: Gradients, gather: Gather) -> None:
    """It never finds anything."""


MISTAKES = wrong_answers(__name__)
