"""One restore, recorded: the values before and after, the file's, and the loss."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.failures import StepFailed, explain
from course.lessons.n18_restored_but_wrong.checkpoint_files import (
    COUNTER,
    Arrays,
    read,
    same_bits,
    values_of,
)
from course.runs.workloads import Rows

Restore = Callable[..., object]  # of (folder, variables)


@dataclass(frozen=True, eq=False)
class Restoration:
    """What a restore did.

    label: the function's name.
    before, after: the program's variables, name -> array.
    stored: the newest checkpoint in the folder, name -> array; empty: there is none.
    refusal: the words of the ValueError with which it refused, else "".
    losses: mean squared error with the file's weights, with those before and those
        after the restore; empty where no rows were given.
    """

    label: str
    before: Arrays
    after: Arrays
    stored: Arrays
    refusal: str = ""
    losses: Mapping[str, float] | None = None

    def restored(self, name: str) -> bool:
        """Whether a variable has the file's value of its name."""
        return same_bits(self.after[name], self.stored.get(name))


def restored_by(
    restore: Restore,
    folder: str,
    variables: Mapping[str, tf.Variable],
    rows: Rows | None = None,
) -> Restoration:
    """Call `restore(folder, variables)` and record what it did.

    Args:
        restore: may refuse with a ValueError.
        folder: of checkpoints.
        variables: name -> variable, as the program has them.
        rows: for the losses. The weights are then the first of `variables`, and the
            first array of two float32 numbers in the file.

    Raises:
        StepFailed: it stopped with another error; says which.
    """
    label, before = getattr(restore, "__name__", "yours"), values_of(variables)
    refusal = ""
    try:
        restore(folder, dict(variables))
    except ValueError as error:
        refusal = str(error)
    except Exception as error:
        raise StepFailed(explain(error, restore)) from error
    path = tf.train.latest_checkpoint(folder)
    after, stored = values_of(variables), read(path) if path else {}
    stored = {n: v for n, v in stored.items() if v is not None and n != COUNTER}
    losses = None
    if rows is not None:
        first = next(iter(variables))
        saved = next(v for v in stored.values() if v.shape == (2,))
        weights = {"before": before[first], "saved": saved, "after": after[first]}
        losses = {when: loss(w, rows) for when, w in weights.items()}
    return Restoration(label, before, after, stored, refusal, losses)


def loss(w: np.ndarray, rows: Rows) -> float:
    """Return the mean squared error of two weights on all rows."""
    return float(np.mean((rows.x @ np.asarray(w, np.float64) - rows.y) ** 2))
