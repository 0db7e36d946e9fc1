"""Wrong answers to 19/my_hidden: each is the mistake of its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from course.checks.exercises import wrong_answers
from course.lessons.n19_restored_but_wrong.checkpoint_files import Arrays, values_of
from course.lessons.n19_restored_but_wrong.jobs import AHEAD

Variables = Mapping[str, object]
Loss, Step = Callable[[], float], Callable[[], None]


def _losses(
    variables: Variables, values: Arrays, loss: Loss, step: Step, ahead: int = AHEAD
) -> list[float]:
    """Return the loss with these values, and after each of the steps from there."""
    for name, variable in variables.items():
        variable.assign(values[name])
    seen = [loss()]
    for _ in range(ahead):
        step()
        seen.append(loss())
    return seen


def _tried(
    variables: Variables,
    initial: Arrays,
    loss: Loss,
    step: Step,
    ahead: int = AHEAD,
) -> dict[str, tuple[bool, bool]]:
    """Return for each name, left out alone: is it seen at once, and later?"""
    stored = values_of(variables)
    whole = _losses(variables, stored, loss, step, ahead)
    tried = {}
    for name in variables:
        without = stored | {name: initial[name]}
        seen = _losses(variables, without, loss, step, ahead)
        tried[name] = seen[0] != whole[0], seen[1:] != whole[1:]
    return tried


def hidden(variables, initial, loss, step) -> set[str]:
    """Return the names that are not seen at once, but later."""
    tried = _tried(variables, initial, loss, step)
    return {name for name, (now, later) in tried.items() if later and not now}


def at_once_only(variables, initial, loss, step) -> set[str]:
    """Only the loss right after the restore is looked at, which depends on the weights
    alone. Some of the rest never matters: that is no danger.
    """
    tried = _tried(variables, initial, loss, step)
    return {name for name, (now, _) in tried.items() if not now}


def too_few_steps(variables, initial, loss, step) -> set[str]:
    """It looks too few steps ahead. A difference may come some steps later, for one
    where a schedule changes the learning rate.
    """
    tried = _tried(variables, initial, loss, step, ahead=1)
    return {name for name, (now, later) in tried.items() if later and not now}


def all_that_matter(variables, initial, loss, step) -> set[str]:
    """What the loss shows right after the restore is named, too. That would be noticed
    at once.
    """
    tried = _tried(variables, initial, loss, step)
    return {name for name, (now, later) in tried.items() if now or later}


def seen_at_once(variables, initial, loss, step) -> set[str]:
    """It names what the loss shows right after the restore. Asked for is what it does
    not show.
    """
    tried = _tried(variables, initial, loss, step)
    return {name for name, (now, _) in tried.items() if now}


def never_matter(variables, initial, loss, step) -> set[str]:
    """It names what never matters. Asked for is what the loss shows later, and not at
    once.
    """
    tried = _tried(variables, initial, loss, step)
    return {name for name, (now, later) in tried.items() if not (now or later)}


def zeros_left(variables, initial, loss, step) -> set[str]:
    """What is left out becomes zero. In a new program it has its INITIAL value, which
    for a learning rate, for one, is another.
    """
    zeros = {name: np.zeros_like(value) for name, value in initial.items()}
    return hidden(variables, zeros, loss, step)


def goes_on(variables, initial, loss, step) -> set[str]:
    """Only what was left out is put back after a try. The steps have changed the
    others, so that the next try begins elsewhere.
    """
    stored = values_of(variables)
    whole = _losses(variables, stored, loss, step)
    for name, variable in variables.items():
        variable.assign(stored[name])
    found = set()
    for name, variable in variables.items():
        was = variable.numpy()
        variable.assign(initial[name])
        seen = [loss()]
        for _ in range(AHEAD):
            step()
            seen.append(loss())
        variable.assign(was)
        if seen[0] == whole[0] and seen != whole:
            found.add(name)
    return found


def not_at_the_start(variables, initial, loss, step) -> set[str]:
    """It finds nothing. Were the losses to compare with taken first? Then the job has
    gone on since, and every variable must be put back before each try.
    """
    whole = [loss()]
    for _ in range(AHEAD):
        step()
        whole.append(loss())
    stored, found = values_of(variables), set()
    for name in variables:
        without = stored | {name: initial[name]}
        seen = _losses(variables, without, loss, step)
        if seen[0] == whole[0] and seen != whole:
            found.add(name)
    return found


def first_only(variables, initial, loss, step) -> set[str]:
    """It ends with the first name. There may be more."""
    return set(sorted(hidden(variables, initial, loss, step))[:1])


def what_changed(variables, initial, loss, step) -> set[str]:
    """It names what has another value than in a new program. Whether a value matters is
    shown by the steps after it only.
    """
    return {
        name
        for name, value in values_of(variables).items()
        if name != "weights" and not np.array_equal(value, initial[name])
    }


MISTAKES = wrong_answers(__name__, hidden)
