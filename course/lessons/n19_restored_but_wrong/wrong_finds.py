"""Wrong answers to 19/my_restore that find other faults: each is its name's mistake."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps

import numpy as np
import tensorflow as tf

from course.checks.exercises import wrong_answers
from course.lessons.n19_restored_but_wrong.checkpoint_files import COUNTER, read
from course.lessons.n19_restored_but_wrong.restore_files import fits

Held = dict[str, np.ndarray | None]
Variables = Mapping[str, tf.Variable]


def newest(folder: str) -> str:
    """Return the newest checkpoint's path, or refuse with the folder's name."""
    path = tf.train.latest_checkpoint(folder)
    if path is None:
        raise ValueError(f"no checkpoint in {folder}")
    return path


def opened(folder: str) -> Held:
    """Read the newest checkpoint, or refuse with the folder's name."""
    try:
        return read(newest(folder))
    except tf.errors.OpError:
        raise ValueError(f"unreadable checkpoint in {folder}") from None


def refuse(wrong: list[str]) -> None:
    """Refuse what is wrong, if anything is."""
    if wrong:
        raise ValueError(f"not restored: {wrong}")


def assign_all(held: Held, variables: Variables) -> None:
    """Write all that the file has."""
    for name, variable in variables.items():
        if held.get(name) is not None:
            variable.assign(held[name])


def unlike(
    held: Held, variables: Variables, same: Callable[[np.ndarray, np.ndarray], bool]
) -> list[str]:
    """Return the names that are not on both sides, or whose arrays are not the same."""
    own = {name: np.asarray(v.numpy()) for name, v in variables.items()}
    return [
        name
        for name in sorted({*held, *own} - {COUNTER})
        if held.get(name) is None or name not in own or not same(held[name], own[name])
    ]


def faults(held: Held, variables: Variables) -> list[str]:
    """Return the names that do not fit: all of them."""
    return unlike(held, variables, fits)


def _refusing(finds: Callable[[Held, Variables], list[str]]) -> Callable:
    """Return the restore that refuses what `finds` finds, and writes the rest."""

    @wraps(finds)
    def restore(folder: str, variables: Variables) -> None:
        held = opened(folder)
        refuse(finds(held, variables))
        assign_all(held, variables)

    return restore


def _of_both(held: Held, variables: Variables) -> list[str]:
    return [n for n in faults(held, variables) if n in held and n in variables]


def _missing(held: Held, variables: Variables) -> list[str]:
    return sorted({*variables} - {*held})


def _surplus(held: Held, variables: Variables) -> list[str]:
    return sorted({*held} - {*variables, COUNTER})


def _other_names(held: Held, variables: Variables) -> list[str]:
    return _missing(held, variables) + _surplus(held, variables)


@_refusing
def no_dtype(held: Held, variables: Variables) -> list[str]:
    """Dtypes are not compared: assign casts a NumPy array in silence."""
    return unlike(held, variables, lambda one, two: one.shape == two.shape)


@_refusing
def no_shape(held: Held, variables: Variables) -> list[str]:
    """Shapes are not compared: assign refuses another shape in its own words, when
    other variables have been written already.
    """
    return unlike(held, variables, lambda one, two: one.dtype == two.dtype)


@_refusing
def names_only(held: Held, variables: Variables) -> list[str]:
    """Only names are compared, and no shapes or dtypes."""
    return unlike(held, variables, lambda one, two: True)


@_refusing
def no_names(held: Held, variables: Variables) -> list[str]:
    """A name that only the file or only the program has is passed over."""
    return _of_both(held, variables)


@_refusing
def file_may_have_more(held: Held, variables: Variables) -> list[str]:
    """Names that only the file has are not named. They are half of a renamed variable,
    or a part of the model that is missing.
    """
    return [name for name in faults(held, variables) if name in variables]


@_refusing
def program_may_have_more(held: Held, variables: Variables) -> list[str]:
    """Names that only the program has are not named: such a variable keeps its initial
    value.
    """
    return [name for name in faults(held, variables) if name in held]


@_refusing
def damage_passed(held: Held, variables: Variables) -> list[str]:
    """An array that can't be read is passed over, and its variable keeps its initial
    value.
    """
    return [name for name in faults(held, variables) if held.get(name, 0) is not None]


@_refusing
def counter_refused(held: Held, variables: Variables) -> list[str]:
    """A sound checkpoint is refused: save_counter is TensorFlow's own, and in every
    file that save() writes.
    """
    return [*faults(held, variables), COUNTER]


@_refusing
def first_named(held: Held, variables: Variables) -> list[str]:
    """Only the first fault is named. Collect them all: a renamed variable is two
    names.
    """
    return faults(held, variables)[:1]


@_refusing
def names_first(held: Held, variables: Variables) -> list[str]:
    """Where there are faults of two kinds, only those of the first kind are named.
    Collect the faults of all kinds, and raise once: beside another name there can be
    another dtype.
    """
    return _other_names(held, variables) or _of_both(held, variables)


@_refusing
def kinds_in_turn(held: Held, variables: Variables) -> list[str]:
    """Where there are faults of two kinds, only those of the first kind are named.
    Collect the faults of all kinds, and raise once: beside another name or dtype there
    can be another shape.
    """
    return _other_names(held, variables) or _of_both(held, variables)[:1]


@_refusing
def missing_first(held: Held, variables: Variables) -> list[str]:
    """Where there are faults of two kinds, only those of the first kind are named.
    Collect the faults of all kinds, and raise once: a renamed variable is missing under
    one name, and surplus under another.
    """
    missing, surplus = _missing(held, variables), _surplus(held, variables)
    return missing or surplus or _of_both(held, variables)


@_refusing
def missing_before_all(held: Held, variables: Variables) -> list[str]:
    """Where there are faults of two kinds, only those of the first kind are named.
    Collect the faults of all kinds, and raise once: a renamed variable is missing under
    one name, and surplus under another.
    """
    return _missing(held, variables) or faults(held, variables)


@_refusing
def all_named_if_names_differ(held: Held, variables: Variables) -> list[str]:
    """Where names differ, the message has all names of both sides. Who reads it wants
    to know which are wrong: those that only one side has.
    """
    if _other_names(held, variables):
        return [*held, *variables]
    return _of_both(held, variables)


@_refusing
def all_named(held: Held, variables: Variables) -> list[str]:
    """The message names healthy variables, too. Who reads it wants to know which are
    wrong.
    """
    return [*held, *variables] if faults(held, variables) else []


@_refusing
def nobody_named(held: Held, variables: Variables) -> list[str]:
    """It refuses where it should, but its message does not name the variables."""
    return ["something"] if faults(held, variables) else []


@_refusing
def always_refused(held: Held, variables: Variables) -> list[str]:
    """A sound checkpoint is refused: one of the comparisons finds every variable at
    fault. Print both of its sides for one variable.
    """
    return faults(held, variables) or [*variables]


@_refusing
def everything_refused(held: Held, variables: Variables) -> list[str]:
    """A sound checkpoint is refused: one of the comparisons finds every variable at
    fault. Print both of its sides for one variable.
    """
    # a dtype is never the class that makes its numbers
    return unlike(held, variables, lambda one, two: one.dtype is two.dtype.type)


FINDS = wrong_answers(__name__, newest, opened, refuse, assign_all, unlike, faults)
