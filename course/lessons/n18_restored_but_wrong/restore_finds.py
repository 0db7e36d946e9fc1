"""What right and wrong ways to restore find at fault in a file and a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import tensorflow as tf

from course.lessons.n18_restored_but_wrong.checkpoint_files import COUNTER
from course.lessons.n18_restored_but_wrong.restore_files import fits

Held = dict[str, np.ndarray | None]
Variables = Mapping[str, tf.Variable]
Finds = Callable[[Held, Variables], list[str]]  # the names at fault


def _pairs(held: Held, variables: Variables) -> list[tuple[str, object, object]]:
    """(name, what the file has, what the program has) of all names, or None."""
    names = sorted({*held, *variables} - {COUNTER})
    values = {name: np.asarray(v.numpy()) for name, v in variables.items()}
    return [(name, held.get(name), values.get(name)) for name in names]


def faults(held: Held, variables: Variables) -> list[str]:
    """Find what does not fit: all of it."""
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
        return [name for name in faults(held, variables) if name in there]

    return find


def in_turn(*finds: Finds) -> Finds:
    """Name only what the first of these finds, or else the next."""

    def find(held: Held, variables: Variables) -> list[str]:
        return next((found for each in finds if (found := each(held, variables))), [])

    return find


def always(held: Held, variables: Variables) -> list[str]:
    """Find fault with everything."""
    return faults(held, variables) or sorted(variables)


def with_counter(held: Held, variables: Variables) -> list[str]:
    """Take TensorFlow's own counter for a fault."""
    counter = [COUNTER] if COUNTER not in variables else []
    return [*faults(held, variables), *counter]


def all_named(held: Held, variables: Variables) -> list[str]:
    """Name all where one is wrong."""
    return sorted({*held, *variables}) if faults(held, variables) else []


def first_named(held: Held, variables: Variables) -> list[str]:
    """Name the first only."""
    return faults(held, variables)[:1]


def nobody_named(held: Held, variables: Variables) -> list[str]:
    """Name nobody."""
    return ["something"] if faults(held, variables) else []


def damage_passed(held: Held, variables: Variables) -> list[str]:
    """Pass over what is damaged."""
    return [name for name in faults(held, variables) if held.get(name, 0) is not None]


def no_names(held: Held, variables: Variables) -> list[str]:
    """Pass over what only one side has."""
    return [n for n in faults(held, variables) if n in held and n in variables]


def missing(held: Held, variables: Variables) -> list[str]:
    """Find what only the program has."""
    return sorted({*variables} - {*held})


def surplus(held: Held, variables: Variables) -> list[str]:
    """Find what only the file has."""
    return sorted({*held} - {*variables, COUNTER})


def either_side(held: Held, variables: Variables) -> list[str]:
    """Find what only one side has."""
    return missing(held, variables) + surplus(held, variables)


def first_of_both(held: Held, variables: Variables) -> list[str]:
    """Find the first fault of what both sides have."""
    return no_names(held, variables)[:1]


def all_if_names_differ(held: Held, variables: Variables) -> list[str]:
    """Name all of both sides where one has a name that the other has not."""
    return sorted({*held, *variables}) if either_side(held, variables) else []


def everything(held: Held, variables: Variables) -> list[str]:
    """Find fault with all, in a sound file too."""
    return sorted({*held, *variables} - {COUNTER})
