"""Record what ran when and on which device, by stamps that do not change the order.

TensorFlow keeps stateful operations in program order, across replicas too, so a stamp
made with `tf.py_function` or `tf.timestamp` would itself make replicas run one after
the other. These stamps are stateless.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.runs.devices import short_name


@dataclass(frozen=True)
class Span:
    """One piece of work.

    lane: the row of the figure it stands in, such as "CPU:1" or "replica 1".
    begin, end: seconds since the recording began.
    name: what the figure writes into it, such as the step's number.
    kind: spans of one kind look alike, such as "forward".
    """

    lane: str
    begin: float
    end: float
    name: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Timeline:
    """The spans of one run, in the order they began.

    label: how figures name this run.
    lanes: all rows, also those in which nothing happened.
    """

    label: str
    lanes: tuple[str, ...]
    spans: tuple[Span, ...]

    @property
    def seconds(self) -> float:
        """From the first span's begin to the last one's end."""
        return max((s.end for s in self.spans), default=0.0) - self.begin

    @property
    def begin(self) -> float:
        """When the first span began."""
        return min((s.begin for s in self.spans), default=0.0)

    @property
    def most_at_once(self) -> int:
        """The largest number of spans that went on at the same time."""
        edges = [(s.begin, 1) for s in self.spans] + [(s.end, -1) for s in self.spans]
        return int(max(np.cumsum([change for _, change in sorted(edges)]), default=0))

    @property
    def idle(self) -> float:
        """The share of all lanes' time, first begin to last end, without a span."""
        room = self.seconds * len(self.lanes)
        return 1 - sum(s.end - s.begin for s in self.spans) / room if room else 0.0


class SpanRecorder:
    """Work that takes a while, inside or outside of graphs, and a note of when it ran.

    The work is a wait, so it can overlap on a single core. A lane does one piece of
    work at a time, like a GPU with one stream; a logical CPU would do several.
    """

    def __init__(self) -> None:
        self._lanes: dict[str, threading.Lock] = defaultdict(threading.Lock)
        self._spans: list[Span] = []
        self._start = time.perf_counter()

    def wait(self, lane: str, seconds: float, name: str = "", kind: str = "") -> Span:
        """Wait for `seconds` in `lane`, after what goes on there; note the span."""
        with self._lanes[lane]:
            begin = time.perf_counter()
            time.sleep(seconds)
            span = Span(
                lane,
                begin - self._start,
                time.perf_counter() - self._start,
                name,
                kind,
            )
        self._spans.append(span)
        return span

    def clear(self) -> None:
        """Forget what was noted so far."""
        self._spans.clear()

    def timeline(self, label: str, lanes: Sequence[str]) -> Timeline:
        """Return what was noted so far, as a run of these lanes.

        Raises:
            ValueError: a span stands in another lane.
        """
        spans = tuple(sorted(self._spans, key=lambda span: span.begin))
        others = {span.lane for span in spans} - set(lanes)
        if others:
            raise ValueError(f"there are spans in {sorted(others)}, not in {lanes}")
        return Timeline(label, tuple(lanes), spans)


def stamped(
    values: tf.Tensor,
    note: Callable[[str, np.ndarray], None],
    back: Callable[[str, np.ndarray], None] | None = None,
) -> tf.Tensor:
    """Return `values` unchanged, after a call of `note` on the host.

    The call is made each time the graph runs, unless `values` is a constant or nobody
    uses the result. Its gradient is that of the identity.

    Args:
        values: float32, any shape.
        note: called with the device that the surrounding code asks for, such as
            "CPU:1" ("" where it asks for none), and the values.
        back: likewise, when the gradient passes; its device is the one that is asked
            for there.
    """

    @tf.custom_gradient
    def straight_through(inside):
        def gradient(upstream):
            return stamp(upstream, back) if back else upstream

        return stamp(inside, note), gradient

    return straight_through(tf.convert_to_tensor(values))


def asked_device() -> str:
    """Return the device that new operations are to run on, such as "CPU:1", or ""."""
    return short_name(tf.zeros([]).device)


def stamp(values: tf.Tensor, note: Callable[[str, np.ndarray], None]) -> tf.Tensor:
    """Do the same where no gradient passes: in a custom gradient's own functions."""
    device = asked_device()

    def call(array: np.ndarray) -> np.ndarray:
        note(device, array)
        return array

    # stateless: a stateful operation would wait for those of the other replicas
    result = tf.numpy_function(call, [values], values.dtype, stateful=False)
    result.set_shape(values.shape)
    return result
