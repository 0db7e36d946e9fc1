"""Run an input pipeline with slow reads and steps, and note what ran when.

Reads and steps are waits. `read` is what tf.data knows of a Python function: an
operation with side effects, of which TensorFlow runs one at a time unless told else.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import tensorflow as tf

from course.checks.failures import sentences_of
from course.lessons.n08_busy_then_idle.one_core import on_one_core
from course.runs.spans import SpanRecorder, Timeline

READERS = 4
LANES = (*(f"reader {k}" for k in range(READERS)), "step")
READ, STEP = 0.06, 0.02  # seconds
Read = Callable[[tf.Tensor], tf.Tensor]
Make = Callable[[Read, int], Iterable]


def reading(call: Callable[[int], float]) -> Read:
    """Return `read(i)` for graphs: the float32 scalar that `call` returns on the host.

    Each run is a call: the operation is stateful, as Python functions are by default.
    """

    def read(i: tf.Tensor) -> tf.Tensor:
        value = tf.numpy_function(
            lambda number: np.float32(call(int(number))), [i], tf.float32
        )
        value.set_shape([])
        return value

    return read


class Workers:
    """Workers of one stage, such as connections to a store; each does one at a time.

    lanes: one for each worker; kind: of their spans; seconds: of work, by element.
    """

    def __init__(
        self,
        recorder: SpanRecorder,
        lanes: Sequence[str],
        kind: str,
        seconds: Callable[[int], float],
    ) -> None:
        self._recorder, self._kind, self._seconds = recorder, kind, seconds
        self._free = list(lanes)
        self._order = self._free.copy()
        self._some = threading.Condition()

    def __call__(self, element: int) -> float:
        """Wait for the first free worker, then for its work; return the element."""
        with self._some:
            self._some.wait_for(lambda: self._free)
            mine = min(self._free, key=self._order.index)
            self._free.remove(mine)
        try:
            seconds = self._seconds(element)
            self._recorder.wait(mine, seconds, str(element), self._kind)
        finally:
            with self._some:
                self._free.append(mine)
                self._some.notify()
        return float(element)


def time_dataset(
    make: Make,
    elements: int = 7,
    *,
    label: str = "",
    read: float = READ,
    step: float = STEP,
) -> Timeline:
    """Run a step on each element of `make(read, elements)`, as on one core.

    Args:
        make: called with a tensor function and the number of elements.
        elements: how many there are to read.
        label: how figures name the run; the function's name, if not given.
        read: how long a read waits, in seconds.
        step: how long a step waits.

    Raises:
        StepFailed: the function, or what it returned, stops with an error.
    """
    recorder = SpanRecorder()
    readers = Workers(recorder, LANES[:-1], "read", lambda i: read)

    def steps() -> bool:
        dataset = make(reading(readers), elements)
        for nth, element in enumerate(dataset):
            if nth == 3 * elements:  # it may have no end
                break
            recorder.wait(LANES[-1], step, _number(element), "step")
        return True

    with sentences_of(make):
        on_one_core(steps)
    return recorder.timeline(label or make.__name__, LANES)


def _number(element: object) -> str:
    """The number of an element, as `read` gave it; "" for what is no number."""
    try:
        return str(int(element))
    except (TypeError, ValueError):
        return ""


def time_four_at_once(elements: int = 7) -> Timeline:
    """Run a step on each element of a dataset that has four reads at a time."""
    return time_dataset(four_at_once, elements, label="as it should be")


def tell_steps(run: Timeline) -> str:
    """Say how long an element takes, and how long the step is idle, once it runs."""
    steps = [span for span in run.spans if span.lane == LANES[-1]]
    if len(steps) < 2:
        return "one step" if steps else "no step"
    worked = sum(span.end - span.begin for span in steps)
    busy = worked / (steps[-1].end - steps[0].begin)
    each = (steps[-1].begin - steps[0].begin) / (len(steps) - 1)
    return f"{1000 * each:.0f} ms an element, step {1 - busy:.0%} idle"


def steps_that_waited(run: Timeline) -> int:
    """Count the steps whose element was still being read when the step before ended.

    For a run that reads one element after the other, in order.
    """
    reads = [span.end for span in run.spans if span.lane != LANES[-1]]
    ends = [span.end for span in run.spans if span.lane == LANES[-1]]
    return sum(read > end for read, end in zip(reads[1:], ends[:-1], strict=True))


def four_at_once(read: Read, n: int) -> tf.data.Dataset:
    """Return the dataset that notebook 08 asks for: four reads at a time, in order."""
    options = tf.data.Options()
    options.threading.private_threadpool_size = READERS
    numbers = tf.data.Dataset.range(n)
    return numbers.map(read, num_parallel_calls=READERS).with_options(options)
