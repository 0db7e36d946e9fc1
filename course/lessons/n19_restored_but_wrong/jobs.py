"""Jobs in the middle of their training: all their variables, real Keras optimizers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import tensorflow as tf

from course.lessons.n19_restored_but_wrong.checkpoint_files import Arrays, values_of
from course.runs.workloads import Rows

AHEAD = 10  # steps in which a difference counts
Optimizer = tf.keras.optimizers.Optimizer


class Loss(float):
    """A loss that also has the `numpy` of a tensor."""

    def numpy(self) -> np.float64:
        """Return it as a NumPy number."""
        return np.float64(self)


@dataclass(frozen=True, eq=False)
class Running:
    """What a job has at a moment.

    variables: name -> variable, with its value at this moment.
    initial: name -> the value that it has in a new program.
    loss: returns the mean squared error of the weights on all rows.
    step: makes one step, in which every variable may change.
    """

    variables: Mapping[str, tf.Variable]
    initial: Arrays
    loss: Callable[[], Loss]
    step: Callable[[], None]


@dataclass(frozen=True, eq=False)
class Job:
    """A job, and the step at which it stands.

    kind: in words.
    make: returns its optimizer.
    batch: rows of one step, taken in order from where the last step ended; 0: all.
    by_hand: a learning rate that was set before the job's last steps, or 0.
    """

    kind: str
    rows: Rows
    steps: int
    make: Callable[[], Optimizer]
    batch: int = 0
    by_hand: float = 0.0

    def __str__(self) -> str:
        return f"a job with {self.kind}, at step {self.steps}"

    @property
    def names(self) -> list[str]:
        """The names of all its variables."""
        return sorted(self._running.variables)

    def running(self) -> Running:
        """Return the job at its step, whatever was done to its variables before."""
        for name, variable in self._running.variables.items():
            variable.assign(self._reached[name])
        return self._running

    @cached_property
    def _running(self) -> Running:
        w = tf.Variable([0.0, 0.0], name="weights")
        position = tf.Variable(0, name="position")
        x, y = (tf.constant(part, tf.float32) for part in (self.rows.x, self.rows.y))
        optimizer = self.make()
        optimizer.build([w])
        own = [w, *optimizer.variables, *[position] * bool(self.batch)]
        variables = {v.name.split(":")[0]: v for v in own}

        def error(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
            return tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)

        @tf.function
        def step() -> None:
            chosen = tf.range(len(x))
            if self.batch:
                chosen = (position + tf.range(self.batch)) % len(x)
                position.assign_add(self.batch)
            with tf.GradientTape() as tape:
                wrong = error(tf.gather(x, chosen), tf.gather(y, chosen))
            optimizer.apply_gradients([(tape.gradient(wrong, w), w)])

        whole = tf.function(lambda: error(x, y))
        initial = values_of(variables)
        return Running(variables, initial, lambda: Loss(whole()), step)

    @cached_property
    def _reached(self) -> Arrays:
        variables = self._running.variables
        for _ in range(self.steps):
            self._running.step()
        if self.by_hand:
            variables["learning_rate"].assign(self.by_hand)
        return {name: np.array(value) for name, value in values_of(variables).items()}
