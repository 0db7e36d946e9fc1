"""Ways of adding 1 twice at the same time: is one of the two updates lost?"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

import tensorflow as tf

from course.lessons.n05_different_every_run.watched import (
    Watch,
    as_keras,
    value_now,
    watched_variable,
)

QUESTIONS = ("is an update lost?",)
SECONDS = 1.0  # for which a write waits for another that cannot come
TWICE = 2

# (class of the variable, what adds 1 to it twice)
Way = tuple[type, Callable[[object], object]]


def observe_ways(ways: Mapping[str, Way]) -> dict[str, tuple[bool]]:
    """Let each way add 1 to a variable twice, in the worst order that it allows.

    A write waits until the other has read, or wants to write, too; not for ever, since
    some ways let nobody come.

    Args:
        ways: name -> (tf.Variable or tf.keras.Variable, a function of such a variable).

    Returns:
        name -> whether the variable ends below 2, the answer to QUESTIONS.
    """
    return {name: (_final(*way) < TWICE,) for name, way in ways.items()}


def _final(kind: type, add_twice: Callable[[object], object]) -> float:
    door = _Door()
    variable, door.watch = watched_variable(0.0, door.before)
    add_twice(variable if kind is tf.Variable else as_keras(variable))
    return value_now(variable)


class _Door:
    """Where a write waits for the other one."""

    watch: Watch

    def __init__(self) -> None:
        self._waiting = 0
        self._changed = threading.Condition()

    def before(self, kind: str) -> None:
        """Hold a write until both have read, or are here."""
        with self._changed:
            self._waiting += kind == "write"
            self._changed.notify_all()
            if kind == "write":
                self._changed.wait_for(self._both, SECONDS)

    def _both(self) -> bool:
        reads = sum(access.kind == "read" for access in self.watch.accesses)
        return self._waiting == TWICE or reads == TWICE
