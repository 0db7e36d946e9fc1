"""Whether a training uses the gradients that its devices multiply, or only shows them.

The training runs again on other rows, and each multiplication for a gradient gives
twice its result. Weights that stay those of one device do not use these gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from unittest import mock

import numpy as np
from tensorflow.python.ops import gen_math_ops

from course.checks.exercises import TOLERANCE
from course.checks.failures import StepFailed
from course.lessons.n07_only_one_device_works.placed_training import train_placed
from course.runs.sequential import train_sequentially
from course.runs.workloads import Rows, regression

# rows for each device that no other run has: TensorFlow traces all graphs again
ROWS = 1009
# function that makes a multiplication -> its argument that transposes the first factor
MAKERS = {"mat_mul": "transpose_a", "batch_mat_mul_v2": "adj_x"}


def doubled_weights(function: Callable, devices: Sequence[str]) -> np.ndarray:
    """Return the weights after a step whose multiplied gradients are doubled.

    Args:
        function: a training, as for `train_placed`.
        devices: those it is to use.

    Returns:
        (copies, 2); (0, 2) where the training fails, or multiplies no gradient.
    """
    rows = _rows(devices)
    try:
        with _doubled_gradients() as doubled:
            run = train_placed(function, rows, len(rows), devices)
    except (StepFailed, TypeError):
        doubled = []
    return run.weights if doubled else np.zeros((0, 2))


def only_shown(weights: np.ndarray, devices: Sequence[str]) -> bool:
    """Return whether these `doubled_weights` do not depend on the gradients."""
    rows = _rows(devices)
    truth = train_sequentially(rows, len(rows), 1).copies[-1, 0]
    return len(weights) > 0 and bool(np.abs(weights - truth).max() <= TOLERANCE)


def _rows(devices: Sequence[str]) -> Rows:
    return regression(ROWS * len(devices))


@contextmanager
def _doubled_gradients() -> Iterator[list[str]]:
    """Double the result of each multiplication for a gradient, and list them."""
    doubled: list[str] = []

    def doubling(name: str, usual: Callable) -> Callable:
        def multiply(a, b, *args, **options):
            result = usual(a, b, *args, **options)
            if not (args[0] if args else options.get(MAKERS[name])):
                return result
            doubled.append(name)
            return result + result

        return multiply

    with ExitStack() as stack:
        for name in MAKERS:
            new = doubling(name, getattr(gen_math_ops, name))
            stack.enter_context(mock.patch.object(gen_math_ops, name, new))
        yield doubled
