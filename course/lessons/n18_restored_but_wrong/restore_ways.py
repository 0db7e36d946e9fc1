"""Ways to restore that are wrong, as people write them; they run for real."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import tensorflow as tf

from course.lessons.n18_restored_but_wrong.checkpoint_files import COUNTER, read
from course.lessons.n18_restored_but_wrong.restore_files import fits
from course.lessons.n18_restored_but_wrong.restore_finds import (
    Finds,
    Held,
    Variables,
    faults,
)

LATE = (ValueError, AssertionError, IndexError, tf.errors.OpError)


def _open(folder: str) -> Held:
    """Read the newest checkpoint, or refuse with the folder's name."""
    path = tf.train.latest_checkpoint(folder)
    if path is None:
        raise ValueError(f"no checkpoint in {folder}")
    try:
        return read(path)
    except tf.errors.OpError:
        raise ValueError(f"unreadable checkpoint in {folder}") from None


def restoring(
    finds: Finds = faults,
    put: Callable[[tf.Variable, np.ndarray], object] = lambda v, a: v.assign(a),
    opens: Callable[[str], Held] = _open,
) -> Callable:
    """Return a function that refuses what `finds` finds, and `put`s the rest."""

    def restore(folder: str, variables: Variables) -> None:
        held = opens(folder)
        wrong = finds(held, variables)
        if wrong:
            raise ValueError(f"not restored: {wrong}")
        for name, variable in variables.items():
            if held.get(name) is not None:
                put(variable, held[name])

    return restore


def status(ask: str, errors: tuple = ()) -> Callable:
    """Return a function that lets TensorFlow restore, then asks its status object.

    errors: what becomes a ValueError that names the faults; too late for the values.
    """

    def restore(folder: str, variables: Variables) -> None:
        path = tf.train.latest_checkpoint(folder)
        if errors and path is None:
            raise ValueError(f"no checkpoint in {folder}")
        status = None
        try:
            status = tf.train.Checkpoint(**variables).restore(path)
            getattr(status, ask)()
        except errors:
            wrong = faults(_open(folder), variables)
            raise ValueError(f"not restored: {wrong}") from None
        finally:
            if status is not None:
                status.expect_partial()

    return restore


def asked(ask: str, says: str, back: bool) -> Callable:
    """Return a function that makes of the status object's error a ValueError.

    says: the message; {folder} and {error} are put in.
    back: whether all variables get their old values before.
    """

    def restore(folder: str, variables: Variables) -> None:
        before = {name: variable.numpy() for name, variable in variables.items()}
        status = None
        try:
            path = tf.train.latest_checkpoint(folder)
            status = tf.train.Checkpoint(**variables).restore(path)
            getattr(status, ask)()
        except LATE as error:
            for name, value in before.items() if back else ():
                variables[name].assign(value)
            raise ValueError(says.format(folder=folder, error=error)) from None
        finally:
            if status is not None:
                status.expect_partial()

    return restore


def swallowed(folder: str, variables: Variables) -> None:
    """Refuse, but tell nobody."""
    try:
        restoring()(folder, variables)
    except ValueError:
        return


def anew(folder: str, variables: Variables) -> None:
    """Where there is no checkpoint, begin anew in silence."""
    if tf.train.latest_checkpoint(folder) is not None:
        restoring()(folder, variables)


def in_one_loop(folder: str, variables: Variables) -> None:
    """Look at a variable, write it, go to the next; all faults are named at the end."""
    held = _open(folder)
    wrong = faults(held, variables)
    for name, variable in variables.items():
        if name not in wrong:
            variable.assign(held[name])
    if wrong:
        raise ValueError(f"not restored: {wrong}")


def up_to_the_fault(folder: str, variables: Variables) -> None:
    """The same, but stop at the first fault."""
    held = _open(folder)
    wrong = faults(held, variables)
    for name, variable in variables.items():
        if name in wrong:
            raise ValueError(f"not restored: {name}")
        variable.assign(held[name])
    if wrong:
        raise ValueError(f"not restored: {wrong[0]}")


def by_order(folder: str, variables: Variables) -> None:
    """Join the arrays to the variables in the order of the alphabet, not by name."""
    held = _open(folder)
    values = [value for name, value in held.items() if name != COUNTER]
    for name, value in zip(sorted(variables), values, strict=False):
        if value is not None and fits(value, variables[name].numpy()):
            variables[name].assign(value)


def oldest(folder: str) -> Held:
    """Read the oldest checkpoint in the folder."""
    _open(folder)  # so that what can't be read is refused as usual
    held = read(str(sorted(Path(folder).glob("*.index"))[0]).removesuffix(".index"))
    newest = _open(folder)
    return {name: v if newest[name] is not None else None for name, v in held.items()}


def compared_after(folder: str, variables: Variables) -> None:
    """Compare with == what was written: NaN is not equal to NaN."""
    held = _open(folder)
    restoring()(folder, variables)
    for name, variable in variables.items():
        if not np.array_equal(variable.numpy(), held[name]):
            raise ValueError(f"not restored: {name}")


def reshaped(variable: tf.Variable, value: np.ndarray) -> None:
    """Write an array of as many elements."""
    variable.assign(value.reshape(variable.shape))


def uncaught(folder: str) -> Held:
    """Refuse a folder without a checkpoint, and let a damaged index stop it."""
    path = tf.train.latest_checkpoint(folder)
    if path is None:
        raise ValueError(f"no checkpoint in {folder}")
    return read(path)


def raw(folder: str) -> Held:
    """Read everything at once: damage stops it with TensorFlow's own error."""
    path = tf.train.latest_checkpoint(folder)
    if path is None:
        raise ValueError(f"no checkpoint in {folder}")
    held = read(path)
    if None in [value if value is None else 0 for value in held.values()]:
        raise tf.errors.DataLossError(None, None, "damaged")
    return held


def nothing(folder: str, variables: Variables) -> None:
    """Do nothing."""
