"""One restore, recorded: the values before and after, the file's, and the loss."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.lessons.n19_restored_but_wrong.checkpoint_files import (
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
    error: class and words of the error with which it ended, else "".
    losses: mean squared error with the file's weights, with those before and those
        after the restore; None where no rows were given, or the weights do not fit.
    """

    label: str
    before: Arrays
    after: Arrays
    stored: Arrays
    error: str = ""
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
        restore: may end with any error.
        folder: of checkpoints.
        variables: name -> variable, as the program has them; the weights first.
        rows: for the losses of the weights, which the file calls w.
    """
    label, before = getattr(restore, "__name__", "yours"), values_of(variables)
    said = ""
    try:
        restore(folder, dict(variables))
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
    after, stored = values_of(variables), _newest(folder)
    losses = None
    first = next(iter(variables))
    if rows is not None and before[first].shape == (2,) and "w" in stored:
        weights = {"before": before[first], "saved": stored["w"], "after": after[first]}
        losses = {when: loss(w, rows) for when, w in weights.items()}
    return Restoration(label, before, after, stored, said, losses)


def _newest(folder: str) -> Arrays:
    """Return what can be read of the newest checkpoint; nothing, if nothing can be."""
    path = tf.train.latest_checkpoint(folder)
    try:
        held = read(path) if path else {}
    except (tf.errors.OpError, ValueError):
        held = {}
    return {n: v for n, v in held.items() if v is not None and n != COUNTER}


def loss(w: np.ndarray, rows: Rows) -> float:
    """Return the mean squared error of two weights on all rows."""
    return float(np.mean((rows.x @ np.asarray(w, np.float64) - rows.y) ** 2))
