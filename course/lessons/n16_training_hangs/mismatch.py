"""Further exercise: find, before the first step, gradients that do not fit together."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Generator
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.exercises import Difference, Exercise, Mistake, Observation
from course.jobs.joint_sums import run_jointly
from course.lessons.n16_training_hangs.lockstep import Apart, lockstep

WORKERS = 3
NOBODY = -1.0  # stands for None
NOT_REACHED = -2.0

Kind = tuple[str, tuple[int, ...]]  # dtype and shape
Gathered = list[list[int]]
# what one worker does: yields whole numbers, receives all workers', returns an answer
Rule = Callable[[list[Kind]], Generator[list[int], Gathered, int | None]]


@dataclass(frozen=True)
class Kinds:
    """The kinds of the gradients that every worker has.

    own: by set of gradients, then by worker.
    """

    own: tuple[tuple[tuple[Kind, ...], ...], ...]

    def __str__(self) -> str:
        return f"{len(self.own)} models on {len(self.own[0])} real workers"


def draw(rng: np.random.Generator) -> list[Kinds]:
    """Draw models that fit, or differ in a dtype, a shape, or in how many they are."""
    models = [[_model(rng)] * WORKERS for _ in range(10)]
    fits, cast, turned, flat, wider, both, longer, deep, halves, column = models
    for k in (2, 4):
        cast = _changed(cast, 2, k, "float64")
    turned = _changed(turned, 2, 4, "float32", (4, 3))
    flat = _changed(flat, 1, 1, "float32", (12,))
    wider = _changed(wider, 1, 5, "float32", (11,))
    both = _changed(both, 1, 3, "bfloat16")
    both[2] = [*both[2], ("float32", (2,))]
    longer[0] = [*longer[0], ("float32", (2,))]
    deep = [_with(model, 0, "float32", (5, 4, 3, 2)) for model in deep]
    deep = _changed(deep, 2, 0, "float32", (5, 4, 2, 3))
    halves = [_with(model, 5, "float16") for model in halves]
    halves = _changed(halves, 1, 5, "bfloat16")
    column = _changed(column, 2, 3, "float32", (*column[2][3][1], 1))
    models = [fits, cast, turned, flat, wider, both, longer, deep, halves, column]
    order = rng.permutation(len(models))
    return [Kinds(tuple(tuple(map(tuple, models[i])) for i in order))]


def _model(rng: np.random.Generator) -> list[Kind]:
    """Six gradients, two of which have 12 elements in two axes."""
    small = [(int(size),) for size in rng.integers(2, 9, 6)]
    return [("float32", (3, 4) if k % 3 == 1 else small[k]) for k in range(6)]


def _changed(
    own: list[list[Kind]],
    worker: int,
    at: int,
    dtype: str,
    shape: tuple[int, ...] | None = None,
) -> list[list[Kind]]:
    """Return the models with another kind at one place of one worker."""
    changed = _with(own[worker], at, dtype, shape)
    return [changed if number == worker else each for number, each in enumerate(own)]


def _with(
    model: list[Kind], at: int, dtype: str, shape: tuple[int, ...] | None = None
) -> list[Kind]:
    return [*model[:at], (dtype, shape or model[at][1]), *model[at + 1 :]]


def _truth(own: tuple[tuple[Kind, ...], ...]) -> float:
    for k in range(max(map(len, own))):
        if len({each[k] if k < len(each) else None for each in own}) > 1:
            return float(k)
    return NOBODY


def observe(function: Callable, case: Kinds) -> Observation:
    """Call a learner's function in real workers, set by set."""
    own = [list(enumerate(kinds)) for kinds in case.own]
    run = run_jointly(_with_tensors(function), own, "gather")
    if not run.done:
        return Observation(np.zeros(0), {"entered": run.entered})
    return _observation([[_verified(each) for each in call] for call in run.values])


def _with_tensors(function: Callable) -> Callable:
    """Return the function as a worker calls it: with tensors of these kinds."""

    @functools.wraps(function)
    def call(own: tuple[int, tuple[Kind, ...]], gather: Callable) -> object:
        worker, kinds = own
        tensors = [
            # gradients have other values on every worker
            tf.cast(tf.random.stateless_normal(shape, (worker, k)), dtype)
            for k, (dtype, shape) in enumerate(kinds)
        ]
        return function(tensors, gather)

    return call


def _verified(answer: object) -> float:
    if answer is None:
        return NOBODY
    try:
        number = float(answer)
    except (TypeError, ValueError):
        number = NOT_REACHED
    if isinstance(answer, bool) or number < 0 or number != number // 1:
        raise TypeError(
            f"the function returned {answer!r}; it must return the number of a "
            "gradient, from 0, or None"
        )
    return number


def _observation(calls: list[list[float]]) -> Observation:
    return Observation(np.array(calls, dtype=float).ravel())


def expect(case: Kinds) -> Observation:
    """On every worker the same: the first gradient that differs, or nobody."""
    return _observation([[_truth(own)] * len(own) for own in case.own])


def _compare(case: Kinds, got: Observation, truth: Observation) -> Difference:
    expected = (
        "Expected: on every worker the number of the first gradient whose dtype or "
        "shape is not the same on all of them, or that not all of them have; None "
        "where all fit."
    )
    if got.values.shape != truth.values.shape:
        return Difference(
            "It never came to the end: not all workers handed in equally many numbers, "
            "or not all called gather.",
            expected,
        )
    shape = len(case.own), len(case.own[0])
    model, worker = map(
        int, np.argwhere((got.values != truth.values).reshape(shape))[0]
    )
    came, due = got.values.reshape(shape), truth.values.reshape(shape)
    return Difference(
        f"For model {model}, worker {worker} returned {_said(came[model, worker])}; "
        f"right is {_said(due[model, worker])}.",
        expected,
        place={"worker": worker},
    )


def _said(number: float) -> str:
    return "None" if number == NOBODY else f"{number:g}"


def _play(case: Kinds, rule: Rule) -> Observation:
    def meet(handed: list) -> Gathered:
        if len({None if each is None else len(each) for each in handed}) > 1:
            raise Apart
        return [list(map(int, each)) for each in handed]

    def worker(number: int) -> Generator:
        """All models in turn: a gather of one may meet that of the next."""
        answers = []
        for own in case.own:
            answers.append(_verified((yield from rule(list(own[number])))))
        return answers

    try:
        answers = lockstep([worker(k) for k in range(len(case.own[0]))], meet)
    except Apart as apart:
        return Observation(np.zeros(0), {"entered": apart.entered})
    return _observation(list(zip(*answers, strict=True)))


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


def _mistake(code: str, rule: Rule, cause: str) -> Mistake:
    return Mistake(code, cause, lambda case: _play(case, rule))


MY_FIRST_MISMATCH = Exercise(
    name="16/my_first_mismatch",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=_compare,
    mistakes=(
        _mistake(
            "sizes_only",
            _by(_size, most=False),
            "the workers hand in one number for each gradient. Where they have "
            "different numbers of gradients, this question is itself a collective "
            "that does not fit, and hangs. Agree on something of a fixed size first.",
        ),
        _mistake(
            "sizes_compared",
            _by(_size),
            "only numbers of elements are compared. Two dtypes, or the shapes [3, 4] "
            "and [12], can have the same number, and do not fit.",
        ),
        _mistake(
            "dtypes_only",
            _by(lambda kind: kind[0]),
            "only dtypes are compared, not shapes.",
        ),
        _mistake(
            "shapes_only",
            _by(lambda kind: kind[1]),
            "only shapes are compared, not dtypes.",
        ),
        _mistake(
            "dtypes_and_sizes",
            _by(lambda kind: (kind[0], _size(kind))),
            "shapes are compared by their numbers of elements: [3, 4], [4, 3] and [12] "
            "have the same.",
        ),
        _mistake(
            "dtypes_and_axes",
            _by(lambda kind: (kind[0], len(kind[1]))),
            "of the shapes, only the number of axes is compared.",
        ),
        _mistake(
            "common_part_only",
            _shortest,
            "only the gradients that all workers have are compared. One that some of "
            "them lack does not fit either.",
        ),
        _mistake(
            "each_its_own_number",
            _own_number,
            "each worker asks as often as it has gradients. One that has more asks "
            "once more than the others, and meets their next question, or waits. Agree "
            "on something of a fixed size first.",
        ),
        _mistake(
            "dtypes_by_bytes",
            _by(lambda kind: (tf.as_dtype(kind[0]).size, kind[1])),
            "dtypes are compared by their bytes: float16 and bfloat16 have two each, "
            "and do not fit.",
        ),
        _mistake(
            "shapes_filled_with_1",
            _by(lambda kind: (kind[0], (*kind[1], 1, 1, 1, 1)[:4])),
            "shapes are filled up with 1, so that [5] and [5, 1] look the same.",
        ),
        _mistake(
            "number_only",
            _number_only,
            "only the numbers of gradients are compared.",
        ),
        _mistake(
            "number_before_kinds",
            _number_first,
            "different numbers of gradients end the search at the shorter list's end, "
            "though an earlier gradient may differ already.",
        ),
        _mistake(
            "last_one",
            _by(str, _last_unlike),
            "it returns the last one that differs; the first is asked for.",
        ),
        _mistake(
            "two_workers_only",
            _by(str, _two_only),
            "only workers 0 and 1 are compared. There can be more.",
        ),
        _mistake("from_1", _by(str, _from_1), "it counts from 1; the first is 0."),
        _mistake("never", _never, "it never finds anything."),
    ),
    right="All real workers found the same gradient in every model, and nobody waited.",
)
