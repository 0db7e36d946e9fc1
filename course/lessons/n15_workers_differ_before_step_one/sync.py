"""Core exercise: the chief's values on every worker, before the first step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.checks.exercises import Exercise
from course.lessons.n15_workers_differ_before_step_one.starts import (
    Rule,
    Values,
    compare,
    draw,
    expect,
    mistake,
    observe,
)


def _everywhere(pick: Callable[[Values], np.ndarray]) -> Rule:
    """Return the rule after which all workers have what `pick` makes of theirs."""
    return lambda k, values: [pick(values)] * len(values)


def _only(chosen: Callable[[int, np.dtype], bool]) -> Rule:
    """Return the rule after which all have the chief's values of some variables."""
    return lambda k, values: (
        [values[0]] * len(values) if chosen(k, values[0].dtype) else values
    )


def _masked(values: Values) -> Values:
    return [values[0], *(0 * value for value in values[1:])]


def _mean(values: Values) -> np.ndarray:
    """The mean over workers: of whole numbers TensorFlow makes it in float64."""
    return sum(values) / len(values)


def _through(dtype: type) -> Callable[[Values], np.ndarray]:
    """Return the chief's values, sent as `dtype`."""
    return lambda values: values[0].astype(dtype)


def _floats_through_float32(values: Values) -> np.ndarray:
    whole = values[0].dtype == np.int64
    return values[0] if whole else values[0].astype(np.float32)


MY_SYNC = Exercise(
    name="15/my_sync",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=(
        mistake(
            "own_values_kept",
            _only(lambda k, dtype: False),
            "nothing has travelled: every worker still has its own values. An assign "
            "or a seed changes nothing on another worker, and a new variable changes "
            "nothing in the old one.",
        ),
        mistake(
            "mean",
            _everywhere(_mean),
            "the workers agree on the mean of their values. Asked for are the chief's.",
        ),
        mistake(
            "sum",
            _everywhere(sum),
            "the workers agree on the sum of their values. Asked for are the chief's.",
        ),
        mistake(
            "mean_of_masked",
            _everywhere(lambda values: _mean(_masked(values))),
            "the others send zeros, and the MEAN divides the chief's values by the "
            "number of workers.",
        ),
        mistake(
            "last_worker",
            _everywhere(lambda values: values[-1]),
            "the workers agree on the values of the last worker. The chief is worker "
            "0.",
        ),
        mistake(
            "worker_1",
            _everywhere(lambda values: values[1]),
            "the workers agree on the values of worker 1. The chief is worker 0.",
        ),
        mistake(
            "largest",
            _everywhere(lambda values: np.max(values, axis=0)),
            "the workers agree on the largest of their values. Asked for are the "
            "chief's.",
        ),
        mistake(
            "others_added",
            _everywhere(lambda values: sum(values) - values[0]),
            "the mask is the wrong way round: the chief sends zeros, and the others "
            "send their values.",
        ),
        mistake(
            "zeros",
            _everywhere(lambda values: 0 * values[0]),
            "the workers agree on zeros.",
        ),
        mistake(
            "masked_not_reduced",
            lambda k, values: _masked(values),
            "the chief has its values and the others have zeros: they were masked, but "
            "not added up over the workers.",
        ),
        mistake(
            "first_variable_only",
            _only(lambda k, dtype: k == 0),
            "only the first variable has the chief's values.",
        ),
        mistake(
            "last_variable_only",
            _only(lambda k, dtype: k == 4),
            "only the last variable has the chief's values. Look whether the last line "
            "stands in the loop or behind it.",
        ),
        mistake(
            "two_weights_only",
            _only(lambda k, dtype: k < 2),
            "only the first two variables have the chief's values. There can be more.",
        ),
        mistake(
            "float32_only",
            _only(lambda k, dtype: dtype == np.float32),
            "variables of other types than float32 were left out.",
        ),
        mistake(
            "whole_numbers_left_out",
            _only(lambda k, dtype: dtype != np.int64),
            "whole numbers were left out. A counter of steps must be equal, too.",
        ),
        mistake(
            "through_float32",
            _everywhere(_through(np.float32)),
            "the values went through float32, which has too few digits for float64, "
            "and not all whole numbers above 16777216.",
        ),
        mistake(
            "floats_through_float32",
            _everywhere(_floats_through_float32),
            "float64 values went through float32, and lost half of their digits.",
        ),
        mistake(
            "through_float64",
            _everywhere(_through(np.float64)),
            "the whole number went through float64, which does not have all whole "
            "numbers above 2**53: the counter came out wrong.",
        ),
    ),
    right="On three real workers, every variable has the values that the chief had; "
    "after the steps, each worker has the weights of the sequential run.",
)
