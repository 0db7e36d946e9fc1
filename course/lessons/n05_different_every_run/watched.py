"""A TensorFlow variable that reports each read and write, and can hold them back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import tensorflow as tf

# called before each operation with its kind; it may wait, and so hold the thread back
Before = Callable[[str], None]


@dataclass(frozen=True)
class Access:
    """One operation on a watched variable, in the order they happened.

    thread: the thread it happened in. For operations inside `tf.function` this is one
        of TensorFlow's own.
    kind: "read"; "write" for assign; "add" for assign_add and assign_sub, which read
        and write in one piece.
    value: what was read, or what the variable held after the write.
    """

    thread: threading.Thread
    kind: str
    value: float


class Watch:
    """What was done with one variable; `before` is called before each operation."""

    def __init__(self, before: Before) -> None:
        self.before = before
        self.accesses: list[Access] = []
        self._one_at_a_time = threading.RLock()

    def operate(self, kind: str, operation: Callable[[], object]) -> object:
        """Wait where `before` waits, then do `operation` and note what came of it."""
        self.before(kind)
        with self._one_at_a_time:  # else the notes could be in another order
            result = operation()
            self.note(kind, float(result))
        return result

    def note(
        self, kind: str, value: float, thread: threading.Thread | None = None
    ) -> None:
        """Add an access, by this thread unless `thread` is given."""
        by = thread or threading.current_thread()
        self.accesses.append(Access(by, kind, value))


def watched_variable(start: float, before: Before) -> tuple[tf.Variable, Watch]:
    """Return a real float32 variable without axes, and the watch on it.

    Reads inside `tf.function` are not noted. An `assign` there is, and is held back.
    """
    kind = _watched_class()
    variable = kind(start, dtype=tf.float32)
    variable.watch = kind.newest = Watch(before)
    return variable, variable.watch


def as_keras(variable: tf.Variable) -> tf.keras.Variable:
    """Return a Keras variable that keeps its value in `variable`."""
    kept = tf.keras.Variable(0.0)
    kept._value = variable
    return kept


def value_now(variable: tf.Variable) -> float:
    """Return the value of a watched variable; nobody takes note of this read."""
    return float(super(_watched_class(), variable).read_value())


@cache
def _watched_class() -> type:
    # tf.Variable(...) makes an object of a subclass, known once TensorFlow has started
    plain = type(tf.Variable(0.0))

    class Watched(plain):
        watch: Watch | None = None
        newest: Watch | None = None  # a function traced earlier serves it too

        def value(self, *args, **named):
            return self._do("read", super().value, args, named)

        def read_value(self, *args, **named):
            return self._do("read", super().read_value, args, named)

        def assign(self, value, *args, **named):
            if self.watch and not tf.executing_eagerly():
                value = _held_back(value)
            return self._do("write", super().assign, (value, *args), named)

        def assign_add(self, delta, *args, **named):
            return self._do("add", super().assign_add, (delta, *args), named)

        def assign_sub(self, delta, *args, **named):
            return self._do("add", super().assign_sub, (delta, *args), named)

        def _do(self, kind, operation, args, named):
            if self.watch is None or not tf.executing_eagerly():
                return operation(*args, **named)

            def run():
                result = operation(*args, **named)
                return plain.read_value(self) if result is None else result

            return self.watch.operate(kind, run)

        def __tf_tracing_type__(self, context):
            # an argument of a tf.function is replaced by a placeholder: watch it too
            spec = super().__tf_tracing_type__(context)
            spec.__class__ = _spec_class(type(spec))
            return spec

    Watched.__name__ = plain.__name__  # errors name it as TensorFlow would
    return Watched


@cache
def _spec_class(plain: type) -> type:
    class WatchedSpec(plain):
        def placeholder_value(self, context):
            placeholder = super().placeholder_value(context)
            placeholder.__class__ = kind = _watched_class()
            placeholder.watch = kind.newest
            return placeholder

    return WatchedSpec


def _held_back(value: object) -> tf.Tensor:
    """Return `value` in a graph, after the call of `before` when the graph runs."""

    def pause(number):
        watch = _watched_class().newest
        watch.before("write")
        watch.note("write", float(number))
        return number

    held = tf.numpy_function(pause, [tf.cast(value, tf.float32)], tf.float32)
    held.set_shape([])
    return held
