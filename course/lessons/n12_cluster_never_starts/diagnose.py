"""Further exercise: name what is wrong in TF_CONFIGs, without starting anything."""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.lessons.n12_cluster_never_starts.config_sets import (
    CODES,
    Configs,
    draw,
    whats_wrong,
)
from course.lessons.n12_cluster_never_starts.wrong_diagnose import MISTAKES


def observation(case: Configs, found: object) -> Observation:
    """Return 1.0 for each (worker, code) that is in the answer.

    Raises:
        TypeError: it is not a set of such pairs.
    """
    wanted = "a set of pairs (worker, code), the codes as in the list above"
    if not isinstance(found, set | frozenset | list | tuple):
        raise TypeError(f"the function returned {found!r}; it must return {wanted}")
    values = np.zeros((len(case.configs), len(CODES)))
    for each in found:
        pair = tuple(each) if isinstance(each, tuple | list) else ()
        if len(pair) != 2 or pair[1] not in CODES or pair[0] not in range(len(values)):
            raise TypeError(f"{each!r} is in the answer; it must be {wanted}")
        values[int(pair[0]), CODES.index(pair[1])] = 1.0
    return Observation(values.ravel())


def _words(case: Configs, values: np.ndarray) -> str:
    pairs = np.argwhere(values.reshape(len(case.configs), len(CODES)))
    return ", ".join(f"({w}, {CODES[c]!r})" for w, c in pairs) or "nothing"


def _compare(case: Configs, got: Observation, truth: Observation) -> Difference:
    told = "; ".join(f"configs[{w}] {config}" for w, config in enumerate(case.configs))
    return Difference(
        f"It found {_words(case, got.values)}. In it, {told}.",
        f"Expected: {_words(case, truth.values)}.",
    )


def _observe(function: Callable, case: Configs) -> Observation:
    return observation(case, function(copy.deepcopy(list(case.configs))))


MY_DIAGNOSE = Exercise(
    name="12/my_diagnose",
    cases=draw,
    observe=_observe,
    expect=lambda case: observation(case, whats_wrong(case.configs)),
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Right on fourteen sets: a healthy one, one fault, two of a kind, several.",
)
