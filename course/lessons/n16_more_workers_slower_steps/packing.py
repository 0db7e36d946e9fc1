"""Core exercise: the sums of many tensors over the workers, in few messages."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from course.checks.exercises import Data, Difference, Exercise, Mistake, Observation
from course.lessons.n16_more_workers_slower_steps.gradient_sets import (
    Arrays,
    Case,
    Own,
    by_dtype,
    draw,
    fewest,
    floats_packed_sizes,
    judged,
    messages_of,
    neighbour_sizes,
    pack_sizes,
    plain,
    read,
    sizes,
    sums,
    total,
)
from course.lessons.n16_more_workers_slower_steps.reduced_sets import reduce_sets
from course.lessons.n16_more_workers_slower_steps.worker_stages import WORKERS


def observe(reduce: Callable, case: Case) -> Data:
    """Let two real workers reduce all sets."""
    run = reduce_sets(reduce, case.sets)
    return plain(list(zip(*run.values, strict=True)), run.messages)


def expect(case: Case) -> Observation:
    """The sums, in the messages of one all-reduce for each dtype."""
    return judged(sums(case), fewest(case), case)


def compare(case: Case, got: Observation, truth: Observation) -> Difference:
    """Say how many messages there were, and which tensor is wrong."""
    most = ", ".join(map(str, fewest(case)))
    return Difference(
        got.told,
        "Expected: for each gradient its sum over both workers, with its shape and "
        f"dtype, in at most {most} messages: those of one all-reduce for each dtype.",
    )


def _mistake(
    code: str,
    cause: str,
    sums: Callable[[Own], Arrays] = total,
    sent: Callable[[Arrays], list[int]] = pack_sizes,
) -> Mistake:
    """Return a mistake of both workers.

    sums: what each returns of a set; sent: the bytes of each all-reduce, from the
        tensors of one of them.
    """

    def observe(case: Case) -> Observation:
        messages = tuple(messages_of(sent(own[0])) for own in case.sets)
        return judged([[sums(own)] * WORKERS for own in case.sets], messages, case)

    return Mistake(code, cause, observe)


def _nothing_sent(case: Case) -> Observation:
    return judged(case.sets, (0,) * len(case.sets), case)


def _in_one(dtype: str, arrays: Arrays) -> list[int]:
    return [sum(array.size for array in arrays) * np.dtype(dtype).itemsize]


def _first_and_rest(arrays: Arrays) -> list[int]:
    """Two packs for each dtype."""
    groups = by_dtype(arrays)
    return [size for g in groups for size in (g[0].nbytes, sum(sizes(g[1:])))]


def _no_scalars(arrays: Arrays) -> Arrays:
    return [array for array in arrays if array.shape]


def _joined(own: Own) -> Arrays:
    """The sums, one behind the other, one vector for each dtype."""
    groups = by_dtype(total(own))
    return [np.concatenate([a.ravel() for a in alike]) for alike in groups]


def _sorted(own: Own) -> Arrays:
    return [array for alike in by_dtype(total(own)) for array in alike]


def _left(dtype: str, own: Own) -> Arrays:
    return [a.astype(dtype) + b.astype(dtype) for a, b in zip(*own, strict=True)]


def _cast(dtype: str, own: Own) -> Arrays:
    """Sum in one dtype; float16 can't hold the others' numbers."""
    with np.errstate(over="ignore"):
        return _as(own[0], _left(dtype, own))


def _as(wanted: Arrays, arrays: Arrays) -> Arrays:
    return [a.astype(w.dtype) for a, w in zip(arrays, wanted, strict=True)]


def _halves(own: Own) -> Arrays:
    return _as(own[0], _mean(own))


def _mean(own: Own) -> Arrays:
    """TensorFlow divides whole numbers to float64."""
    return [np.asarray(a / WORKERS).astype(_of_mean(a)) for a in total(own)]


def _of_mean(array: np.ndarray) -> np.dtype:
    return np.dtype("float64") if array.dtype.kind == "i" else array.dtype


MY_ALL_REDUCE = Exercise(
    name="16/my_all_reduce",
    cases=draw,
    observe=observe,
    read=read,
    expect=expect,
    compare=compare,
    mistakes=(
        _mistake(
            "one_by_one",
            "each tensor has its own all-reduce, and the next one starts when the last "
            "one is done.",
            sent=sizes,
        ),
        _mistake(
            "floats_packed_only",
            "only the float32 tensors are packed. Each of the others still has its own "
            "all-reduce.",
            sent=floats_packed_sizes,
        ),
        _mistake(
            "mean",
            "the sums are divided by the number of workers: MEAN instead of SUM.",
            _mean,
        ),
        _mistake(
            "mean_one_by_one",
            "two faults: MEAN instead of SUM, and an all-reduce for each tensor.",
            _mean,
            sizes,
        ),
        Mistake(
            "not_reduced",
            "each worker returns its own tensors. Nothing was added up over the "
            "workers.",
            _nothing_sent,
        ),
        _mistake(
            "cast_to_float32",
            "all tensors are cast to float32, to share one message. It has 24 bits for "
            "a number, so float64 and large whole numbers lose their last digits.",
            partial(_cast, "float32"),
            partial(_in_one, "float32"),
        ),
        _mistake(
            "cast_to_float64",
            "all tensors are cast to float64, to share one message. It has 53 bits for "
            "a number. An int64 may need 63, so it loses its last digits.",
            partial(_cast, "float64"),
            partial(_in_one, "float64"),
        ),
        _mistake(
            "left_as_float32",
            "all sums are returned as float32 instead of their own dtype.",
            partial(_left, "float32"),
            partial(_in_one, "float32"),
        ),
        _mistake(
            "left_as_float64",
            "all sums are returned as float64 instead of their own dtype.",
            partial(_left, "float64"),
            partial(_in_one, "float64"),
        ),
        _mistake(
            "sorted_by_dtype",
            "the sums are returned dtype by dtype. They must be in the order of the "
            "gradients.",
            _sorted,
        ),
        _mistake(
            "not_cut",
            "the packed vectors are returned as they are. Split them into one tensor "
            "for each gradient.",
            _joined,
        ),
        _mistake(
            "flat",
            "the sums are returned as vectors. Each needs the shape of its gradient.",
            lambda own: [a.ravel() for a in total(own)],
        ),
        _mistake(
            "scalars_lost",
            "scalars are left out.",
            lambda own: _no_scalars(total(own)),
            lambda arrays: pack_sizes(_no_scalars(arrays)),
        ),
        _mistake(
            "twice",
            "the sums are summed over the workers once more: the second all-reduce "
            "adds up equal sums.",
            lambda own: [a * a.dtype.type(WORKERS) for a in total(own)],
            lambda arrays: 2 * pack_sizes(arrays),
        ),
        _mistake(
            "packed_twice",
            "there are two all-reduces for each dtype. One can carry all its tensors.",
            sent=_first_and_rest,
        ),
        _mistake(
            "neighbours_packed",
            "only neighbours of one dtype are packed. Pack all of a dtype, wherever "
            "they are: itertools.groupby needs a sorted list.",
            sent=neighbour_sizes,
        ),
        _mistake(
            "divided_on_top",
            "the sums are divided by two and cast to their dtype again.",
            _halves,
        ),
    ),
    right="Two real workers have the right sums of all lists, with one all-reduce for "
    "each dtype.",
    locate="16/my_slow_one",
)
