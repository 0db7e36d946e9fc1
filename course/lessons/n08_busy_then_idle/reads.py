"""Reads that wait for each other and for the step show what a dataset does.

Nobody measures time. The first four reads wait for each other; later ones, and steps,
wait for what must happen meanwhile. Whoever waits in vain, once, gives up for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.failures import WrongReturn
from course.lessons.n08_busy_then_idle.input_pipeline import READERS, reading
from course.lessons.n08_busy_then_idle.one_core import on_one_core
from course.runs.rendezvous import Rendezvous
from course.runs.resting import Waits

AHEAD = 2 * READERS  # from this element on, reads end only after the first step began
OTHER_ORDER = 0.2  # seconds of rest: what can pass element 0, held back, has passed
TOO_MANY = 5  # a dataset is stopped after this many epochs, and some more


@dataclass(frozen=True)
class Run:
    """What happened to the elements 0 to n - 1; by default, what a right run shows.

    came: how often each element came.
    calls: calls of read for each element.
    beyond: whether read was called for other numbers than these.
    strange: whether there were values that no read returned.
    single: whether each element was one number, not a batch.
    ordered: whether they came in the order of their numbers.
    stopped: whether the dataset was stopped, as it went on and on.
    early: whether one was read before the dataset was returned.
    met: how many reads there were at the same time.
    alternates: whether no read went on during a step, though some were left.
    late: whether the first step waited for more reads than it needs.
    left: whether an element was still to be read when the first step began.
    parallel: whether a part of the dataset may work on several elements at a time.
    threads: how many the dataset has of its own, as its options say; 0 for none.
    later: whether reads met later, where the first four did not.
    """

    came: tuple[int, ...]
    calls: tuple[int, ...]
    beyond: bool = False
    strange: bool = False
    single: bool = True
    ordered: bool = True
    stopped: bool = False
    early: bool = False
    met: int = READERS
    alternates: bool = False
    late: bool = False
    left: bool = False
    parallel: bool = True
    threads: int = READERS
    later: bool = False


class _Watch:
    """Counts reads and steps, and lets them wait."""

    def __init__(self, values: np.ndarray, meets: bool) -> None:
        self.values, self.waits = values, meets
        self.place, self.later = Rendezvous(READERS), Rendezvous(2)
        self.calls: Counter[int] = Counter()
        self.returned = self.stepped = False
        self.early = self.alternates = self.late = self.left = self.beyond = False
        self._last_ended = False
        self._waits = Waits()
        self._changed = self._waits.changed

    def read(self, number: int) -> float:
        """Return the value of an element, perhaps after a wait."""
        if not 0 <= number < len(self.values):
            self.beyond = True
            return np.nan
        with self._changed:
            self.calls[number] += 1
            nth = self.calls.total()
            self.early |= not self.returned
            self._changed.notify_all()
        if self.waits and nth <= READERS:
            self.place.wait()
        elif self.waits and self.place.met == 1 and number >= READERS:
            self.later.wait()  # not where a stream of every fourth element begins
        with self._changed:
            if self._judges_steps and number == 0:
                self._waits.wait_for(lambda: self.stepped, OTHER_ORDER)
            if self._judges_steps and number >= AHEAD:
                self._wait_for_step()
            if self.late and number == len(self.values) - 1:
                # held back, so that a first step that needs all the others begins now
                self._waits.wait_for(lambda: self.stepped, OTHER_ORDER)
                self._last_ended = True
        return self.values[number]

    def _wait_for_step(self) -> None:
        # the first who gives up does so for all who wait here
        if not self._waits.wait_for(lambda: self.stepped or self.late):
            self.late = True
            self._changed.notify_all()

    @property
    def _judges_steps(self) -> bool:
        """Whether reads met, and nothing else was found: only then, steps wait too."""
        met = self.place.met >= READERS and not self.place.in_vain
        found = self.early or self.alternates or self.late
        return self.waits and met and not found

    def one_step(self, nth: int) -> None:
        """Wait until a later element's read has begun, if one is left to read."""
        enough = min(nth + 2, len(self.values))
        with self._changed:
            self.left |= not self.stepped and not self._last_ended
            self.stepped = True
            self._changed.notify_all()
            if self._judges_steps and not self._waits.wait_for(
                lambda: self.calls.total() >= enough
            ):
                self.alternates = True


def run_reads(function: Callable, values: np.ndarray, meets: bool = True) -> Run:
    """Run the learner's dataset over reads that return `values`, as on one core.

    Args:
        function: called as function(read, n).
        values: float32 (n,), all different.
        meets: whether reads and steps wait for each other.

    Raises:
        StepFailed: what came back is no tf.data.Dataset of one number each.
        OutOfTime: it does not end.
    """
    watch, count = _Watch(values, meets), len(values)
    made: list[tuple[bool, int]] = []

    def iterate() -> tuple[list[np.ndarray], bool]:
        dataset = function(reading(watch.read), count)
        watch.returned = True
        made.append((_parallel(_checked(dataset)), _threads(dataset)))
        came: list[np.ndarray] = []
        for element in dataset:
            if len(came) > TOO_MANY * count:
                return came, True
            came.append(np.asarray(element, np.float64))
            watch.one_step(len(came) - 1)
        return came, False

    came, stopped = on_one_core(iterate)
    flat = np.concatenate([each.ravel() for each in came] or [np.zeros(0)])
    flat = flat[np.isfinite(flat)]  # reads beyond the last element gave NaN
    known = [int(k) for v in flat for k in np.flatnonzero(np.abs(values - v) < 1e-6)]
    counts = Counter(known)
    return Run(
        tuple(counts[k] for k in range(count)),
        tuple(watch.calls[k] for k in range(count)),
        watch.beyond,
        len(flat) > len(known),
        all(each.ndim == 0 for each in came),
        known == sorted(known),
        stopped,
        watch.early,
        watch.place.met,
        watch.alternates,
        watch.late,
        watch.left,
        *made[0],
        later=watch.later.met > 1,
    )


def _parallel(dataset: tf.data.Dataset) -> bool:
    """Whether it, or a dataset inside of it, has num_parallel_calls."""
    variant = tf.data.experimental.to_variant(dataset)
    text = tf.raw_ops.DatasetToGraphV2(input_dataset=variant).numpy()
    graph = tf.compat.v1.GraphDef.FromString(text)
    nodes = [*graph.node, *(n for f in graph.library.function for n in f.node_def)]
    return any(node.op.startswith("Parallel") for node in nodes)


def _threads(dataset: tf.data.Dataset) -> int:
    return dataset.options().threading.private_threadpool_size or 0


def _checked(dataset: object) -> tf.data.Dataset:
    if not isinstance(dataset, tf.data.Dataset):
        raise WrongReturn.of(dataset, "a tf.data.Dataset")
    spec = dataset.element_spec
    if not isinstance(spec, tf.TensorSpec) or not spec.dtype.is_floating:
        said = f"({', '.join(map(str, spec))})" if isinstance(spec, tuple) else spec
        if isinstance(spec, tf.TensorSpec) and spec.dtype.is_integer:
            return dataset  # numbers that were not read: judged as such
        wanted = (
            "a tf.data.Dataset whose elements are what read(i) returns, one float32 "
            "number each"
        )
        raise WrongReturn.of(dataset, wanted, f"one whose elements are {said}")
    return dataset
