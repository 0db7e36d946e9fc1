"""Ways to restore that are wrong, as people write them; they run for real."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import tensorflow as tf

from course.jobs.checkpoint_files import COUNTER, read
from course.lessons.n18_restored_but_wrong.restore_files import fits

Held = dict[str, np.ndarray | None]
Variables = Mapping[str, tf.Variable]
Finds = Callable[[Held, Variables], list[str]]  # the names at fault
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


def _pairs(held: Held, variables: Variables) -> list[tuple[str, object, object]]:
    """(name, what the file has, what the program has) of all names, or None."""
    names = sorted({*held, *variables} - {COUNTER})
    values = {name: np.asarray(v.numpy()) for name, v in variables.items()}
    return [(name, held.get(name), values.get(name)) for name in names]


def _faults(held: Held, variables: Variables) -> list[str]:
    return [n for n, one, two in _pairs(held, variables) if not fits(one, two)]


def unlike(part: Callable[[np.ndarray], object]) -> Finds:
    """Find what is not on both sides, or differs in `part`."""

    def find(held: Held, variables: Variables) -> list[str]:
        return [
            name
            for name, one, two in _pairs(held, variables)
            if one is None or two is None or part(one) != part(two)
        ]

    return find


def only_if(side: int) -> Finds:
    """Find faults only of names that one side has: 1 the file, 2 the program."""

    def find(held: Held, variables: Variables) -> list[str]:
        there = held if side == 1 else variables
        return [name for name in _faults(held, variables) if name in there]

    return find


def restoring(
    finds: Finds = _faults,
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
            wrong = _faults(_open(folder), variables)
            raise ValueError(f"not restored: {wrong}") from None
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
    wrong = _faults(held, variables)
    for name, variable in variables.items():
        if name not in wrong:
            variable.assign(held[name])
    if wrong:
        raise ValueError(f"not restored: {wrong}")


def up_to_the_fault(folder: str, variables: Variables) -> None:
    """The same, but stop at the first fault."""
    held = _open(folder)
    wrong = _faults(held, variables)
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


def raw(folder: str) -> Held:
    """Read everything at once: damage stops it with TensorFlow's own error."""
    path = tf.train.latest_checkpoint(folder)
    if path is None:
        raise ValueError(f"no checkpoint in {folder}")
    held = read(path)
    if None in [value if value is None else 0 for value in held.values()]:
        raise tf.errors.DataLossError(None, None, "damaged")
    return held


def always(held: Held, variables: Variables) -> list[str]:
    """Find fault with everything."""
    return _faults(held, variables) or sorted(variables)


def with_counter(held: Held, variables: Variables) -> list[str]:
    """Take TensorFlow's own counter for a fault."""
    counter = [COUNTER] if COUNTER not in variables else []
    return [*_faults(held, variables), *counter]


def all_named(held: Held, variables: Variables) -> list[str]:
    """Name all where one is wrong."""
    return sorted({*held, *variables}) if _faults(held, variables) else []


def first_named(held: Held, variables: Variables) -> list[str]:
    """Name the first only."""
    return _faults(held, variables)[:1]


def nobody_named(held: Held, variables: Variables) -> list[str]:
    """Name nobody."""
    return ["something"] if _faults(held, variables) else []


def damage_passed(held: Held, variables: Variables) -> list[str]:
    """Pass over what is damaged."""
    return [name for name in _faults(held, variables) if held.get(name, 0) is not None]


def no_names(held: Held, variables: Variables) -> list[str]:
    """Pass over what only one side has."""
    return [n for n in _faults(held, variables) if n in held and n in variables]


def nothing(folder: str, variables: Variables) -> None:
    """Do nothing."""
