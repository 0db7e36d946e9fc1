"""Core exercise: the sums of many tensors over the workers, in few messages."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.lessons.n15_more_workers_slower_steps.gradient_sets import (
    WORKERS,
    Arrays,
    Case,
    by_dtype,
    draw,
    floats_packed_sizes,
    judged,
    messages_of,
    neighbour_sizes,
    pack_sizes,
    sizes,
    total,
)
from course.lessons.n15_more_workers_slower_steps.reduced_sets import reduce_sets

Own = tuple[Arrays, ...]  # [worker][tensor]
# what each worker returns of one set, and the bytes of each all-reduce
Rule = Callable[[Own], tuple[list[Arrays], list[int]]]


def observe(reduce: Callable, case: Case) -> Observation:
    """Let two real workers reduce all sets."""
    found = reduce_sets(reduce, case.sets)
    return judged(found.results, found.messages, case)


def expect(case: Case) -> Observation:
    """The sums, in the messages of one all-reduce for each dtype."""
    return judged(case.sums(), case.fewest, case)


def compare(case: Case, got: Observation, truth: Observation) -> Difference:
    """Say how many messages there were, and which tensor is wrong."""
    fewest = ", ".join(map(str, case.fewest))
    return Difference(
        got.told,
        "Expected: for each gradient its sum over both workers, with its shape and "
        f"dtype, in at most {fewest} messages: those of one all-reduce for each dtype.",
    )


def _alike(arrays: Arrays) -> list[Arrays]:
    return [arrays] * WORKERS


def _packs(own: Own) -> list[int]:
    return pack_sizes(own[0])


def _each(own: Own) -> list[int]:
    return sizes(own[0])


def _in(own: Own, dtype: str) -> list[int]:
    """All tensors in one all-reduce of this dtype."""
    return [sum(array.size for array in own[0]) * np.dtype(dtype).itemsize]


def _first_and_rest(own: Own) -> list[int]:
    """Two packs for each dtype."""
    groups = by_dtype(own[0])
    return [size for g in groups for size in (g[0].nbytes, sum(sizes(g[1:])))]


def _joined(own: Own) -> Arrays:
    """The sums, one behind the other, one vector for each dtype."""
    groups = by_dtype(total(own))
    return [np.concatenate([a.ravel() for a in alike]) for alike in groups]


def _sorted(own: Own) -> Arrays:
    return [array for alike in by_dtype(total(own)) for array in alike]


def _cast(own: Own, dtype: str, back: bool) -> Arrays:
    """Sum in one dtype; float16 can't hold the others' numbers."""
    with np.errstate(over="ignore"):
        sums = [a.astype(dtype) + b.astype(dtype) for a, b in zip(*own, strict=True)]
        if back:
            sums = [s.astype(a.dtype) for s, a in zip(sums, own[0], strict=True)]
    return sums


def _mean(own: Own) -> Arrays:
    """TensorFlow divides whole numbers to float64."""
    return [np.asarray(a / WORKERS).astype(_of_mean(a)) for a in total(own)]


def _of_mean(array: np.ndarray) -> np.dtype:
    return np.dtype("float64") if array.dtype.kind == "i" else array.dtype


def _mistake(code: str, rule: Rule, cause: str) -> Mistake:
    def observe(case: Case) -> Observation:
        found = [rule(own) for own in case.sets]
        results = [result for result, _ in found]
        return judged(results, tuple(messages_of(sent) for _, sent in found), case)

    return Mistake(code, cause, observe)


MY_ALL_REDUCE = Exercise(
    name="15/my_all_reduce",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=(
        _mistake(
            "one_by_one",
            lambda own: (_alike(total(own)), _each(own)),
            "each tensor has an all-reduce of its own, and the next one begins when "
            "the last one is over.",
        ),
        _mistake(
            "floats_packed_only",
            lambda own: (_alike(total(own)), floats_packed_sizes(own[0])),
            "only the float32 tensors are packed; each of the others still has an "
            "all-reduce of its own.",
        ),
        _mistake(
            "mean",
            lambda own: (_alike(_mean(own)), _packs(own)),
            "the sums are divided by the number of workers: MEAN where SUM is asked "
            "for.",
        ),
        _mistake(
            "mean_one_by_one",
            lambda own: (_alike(_mean(own)), _each(own)),
            "two things: MEAN where SUM is asked for, and an all-reduce for each "
            "tensor.",
        ),
        _mistake(
            "not_reduced",
            lambda own: ([list(arrays) for arrays in own], []),
            "each worker returns its own tensors: nothing was added up between the "
            "workers.",
        ),
        _mistake(
            "cast_to_float32",
            lambda own: (_alike(_cast(own, "float32", True)), _in(own, "float32")),
            "all tensors are cast to float32, to share one message. It has 24 bits "
            "for a number: float64 and large whole numbers lose their last digits.",
        ),
        _mistake(
            "cast_to_float64",
            lambda own: (_alike(_cast(own, "float64", True)), _in(own, "float64")),
            "all tensors are cast to float64, to share one message. It has 53 bits "
            "for a number: an int64 may need 63, and loses its last digits.",
        ),
        _mistake(
            "left_as_float32",
            lambda own: (_alike(_cast(own, "float32", False)), _in(own, "float32")),
            "all tensors come back as float32, and not in their own dtype.",
        ),
        _mistake(
            "left_as_float64",
            lambda own: (_alike(_cast(own, "float64", False)), _in(own, "float64")),
            "all tensors come back as float64, and not in their own dtype.",
        ),
        _mistake(
            "sorted_by_dtype",
            lambda own: (_alike(_sorted(own)), _packs(own)),
            "the sums come back dtype by dtype. They must stand in the order in which "
            "the gradients came.",
        ),
        _mistake(
            "not_cut",
            lambda own: (_alike(_joined(own)), _packs(own)),
            "the packed vectors come back as they are. They must be cut into one "
            "tensor for each gradient again.",
        ),
        _mistake(
            "flat",
            lambda own: (_alike([a.ravel() for a in total(own)]), _packs(own)),
            "the sums come back as vectors: each needs the shape of its gradient "
            "again.",
        ),
        _mistake(
            "scalars_lost",
            lambda own: (
                _alike([a for a in total(own) if a.shape]),
                pack_sizes([a for a in own[0] if a.shape]),
            ),
            "scalars are left out.",
        ),
        _mistake(
            "twice",
            lambda own: (
                _alike([a * a.dtype.type(WORKERS) for a in total(own)]),
                2 * _packs(own),
            ),
            "the sums are summed over the workers once more: the second all-reduce "
            "adds up equal sums.",
        ),
        _mistake(
            "packed_twice",
            lambda own: (_alike(total(own)), _first_and_rest(own)),
            "there are two all-reduces for each dtype. One can carry all its tensors.",
        ),
        _mistake(
            "neighbours_packed",
            lambda own: (_alike(total(own)), neighbour_sizes(own[0])),
            "only neighbours of one dtype are packed. All of a dtype fit together, "
            "wherever they stand: itertools.groupby needs a sorted list.",
        ),
        _mistake(
            "divided_on_top",
            lambda own: (
                _alike([np.asarray(a / 2).astype(a.dtype) for a in total(own)]),
                _packs(own),
            ),
            "the sums are divided by two, and cast to their dtype again.",
        ),
    ),
    right="Two real workers have the sums of all lists, in the messages of one "
    "all-reduce for each dtype, or fewer.",
    locate="15/my_slow_one",
)
