"""Core exercise: all variables from the file, or a refusal and none of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import tensorflow as tf

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.lessons.n19_restored_but_wrong.checkpoint_files import (
    COUNTER,
    named_in,
    read,
    same_bits,
    values_of,
    variable,
)
from course.lessons.n19_restored_but_wrong.restore_files import Case, draw
from course.lessons.n19_restored_but_wrong.wrong_restore import MISTAKES

RETURNED, REFUSED, STOPPED = 0, 1, 2
BEFORE, FILES, OTHER = 0, 1, 2  # whose value a variable has
# who is named in a refusal; the last: those at fault, and TensorFlow's own counter
NOBODY, THEM, OTHERS, COUNTER_TOO = 0, 1, 2, 3
# errors by which a faulty folder may end a function that does not look for faults
OF_FAULTS = (tf.errors.OpError, AssertionError, IndexError, KeyError)


def observe(function: Callable, case: Case) -> Observation:
    """Let a learner's function restore from the folder."""
    variables = {name: variable(value) for name, value in case.program.items()}
    with case.folder() as folder:
        end, words = RETURNED, ""
        faults, known = _faults(case, folder)  # now: the function may change the files
        try:
            function(folder, dict(variables))
        except ValueError as error:
            end, words = REFUSED, str(error)
        except OF_FAULTS as error:
            if not (case.unreadable or faults):
                raise  # nothing was wrong with the folder
            end, words = STOPPED, f"{type(error).__name__}: {error}"
        named = _named(case, words, folder, faults, known) if end == REFUSED else NOBODY
    after = values_of(variables)
    states = tuple(_state(case, name, after[name]) for name in sorted(after))
    counts = {"end": (end,), "values": states, "named": (named,)}
    told = _told(case, end, words, states, known, faults)
    return Observation(np.zeros(0), counts, told)


def expect(case: Case) -> Observation:
    """All from the file; or a refusal that names the faults, and nothing changed."""
    with case.folder() as folder:
        refused = case.unreadable or bool(_faults(case, folder)[0])
    end, state = (REFUSED, BEFORE) if refused else (RETURNED, FILES)
    counts = {
        "end": (end,),
        "values": (state,) * len(case.program),
        "named": (THEM if refused else NOBODY,),
    }
    return Observation(np.zeros(0), counts)


def _faults(case: Case, folder: str) -> tuple[set[str], list[str]]:
    """Return the names at fault, and all names of file and program."""
    if case.unreadable:
        return set(), [*case.program]
    held = read(str(tf.train.latest_checkpoint(folder)))
    return case.faults(held), sorted({*held, *case.program})


def _named(case: Case, words: str, folder: str, faults: set, known: list) -> int:
    if case.unreadable:
        return THEM if folder in words else NOBODY
    named = named_in(words.replace(folder, ""), known)
    if named == faults:
        return THEM
    if named == faults | {COUNTER}:
        return COUNTER_TOO
    return OTHERS if named else NOBODY


def _state(case: Case, name: str, value: np.ndarray) -> int:
    if same_bits(value, case.program[name]):
        return BEFORE
    return FILES if same_bits(value, case.stored.get(name)) else OTHER


def _told(case, end: int, words: str, states: tuple, known: list, faults: set) -> str:
    shown = words if len(words) <= 160 else words[:157] + "..."
    said = {
        RETURNED: "It returned without an error.",
        REFUSED: f"It refused with ValueError: {shown}",
        STOPPED: f"It stopped with {shown}",
    }[end]
    whose = {
        BEFORE: "the value from before",
        FILES: "the file's value",
        OTHER: "neither the old value nor the file's",
    }
    names = sorted(case.program)
    parts = [
        f"{_listed([n for n, s in zip(names, states, strict=True) if s == state])}: "
        f"{what}"
        for state, what in whose.items()
        if state in states
    ]
    if end == REFUSED and not case.unreadable:
        named = sorted(named_in(words, known))
        parts.append(f"named in the message: {_listed(named) or 'no variable'}")
    said += "" if said.endswith(".") else "."
    return f"{said} Afterwards: {'; '.join(parts)}."


def compare(case: Case, got: Observation, truth: Observation) -> Difference:
    """Say what it did, and what was due."""
    if truth.counts["end"] == (RETURNED,):
        due = "every variable with the file's value, bit by bit, and no error."
    elif case.unreadable:
        due = "a ValueError whose message has the folder, and no variable changed."
    else:
        with case.folder() as folder:
            faults = sorted(_faults(case, folder)[0])
        due = (
            f"a ValueError that names {_listed(faults)} and no other variable, and no "
            "variable changed."
        )
    return Difference(got.told, f"Expected: {due}")


def _listed(names) -> str:
    return ", ".join(names)


MY_RESTORE = Exercise(
    name="19/my_restore",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=shown_by(observe, *MISTAKES),
    right="Two sound checkpoints came back bit by bit; fourteen faulty ones were "
    "refused with the names at fault, and no variable was touched.",
    locate="19/my_not_restored",
)
