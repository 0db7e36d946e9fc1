"""A model whose layers stand on several devices, one stage each, and what they did.

A stage's work is a wait of so many seconds a row, on one device one thing at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial

import numpy as np
import tensorflow as tf

from course.checks.failures import sentences_of
from course.runs.devices import virtual_devices
from course.runs.spans import Span, SpanRecorder, Timeline, asked_device, stamp
from course.runs.stopping import go_on

STAGES = 4
ROWS, WIDTH = 16, 4  # of the run that figures show
SECONDS_A_ROW = 0.003

# called with: stage, "forward" or "backward", micro-batch, asked device, rows
Visit = Callable[[int, str, int, str, int], None]
Gradients = Callable[..., tuple[tf.Tensor, list[tf.Tensor]]]


class Stage:
    """One layer, tanh(h @ w), that notes when rows pass it.

    device: where it is meant to run, such as "CPU:1".
    w: its weights, on that device.

    A call runs where the caller asks for, and so does its backward pass (if not
    `pinned`, that asks for what surrounds `tape.gradient`, as of any other layer).
    """

    def __init__(
        self,
        number: int,
        device: str,
        weights: np.ndarray,
        visit: Visit,
        pinned: bool = True,
    ) -> None:
        self.device, self._number = device, number
        self._visit, self._pinned = visit, pinned
        self._calls = 0
        with tf.device(device):
            self.w = tf.Variable(weights)

    def __repr__(self) -> str:
        return f"<stage {self._number}, meant for {self.device}>"

    def __call__(self, h: tf.Tensor) -> tf.Tensor:
        """Return the outputs, (rows, outputs), for inputs (rows, inputs)."""
        micro, asked = self._calls, asked_device()
        self._calls += 1

        def note(kind: str, device: str, array: np.ndarray) -> None:
            self._visit(self._number, kind, micro, device, len(array))

        @tf.custom_gradient
        def layer(inputs, w):
            outputs = stamp(tf.tanh(inputs @ w), partial(note, "forward"))

            def backward(upstream):
                own = self._pinned and asked
                with tf.device(asked) if own else nullcontext():
                    upstream = stamp(upstream, partial(note, "backward"))
                    inner = upstream * (1 - outputs**2)
                    return (
                        tf.matmul(inner, w, transpose_b=True),
                        tf.matmul(inputs, inner, transpose_a=True),
                    )

            return outputs, backward

        return layer(tf.convert_to_tensor(h), self.w.read_value())


def make_stages(
    weights: Sequence[np.ndarray],
    devices: Sequence[str],
    visit: Visit,
    pinned: bool = True,
) -> list[Stage]:
    """Return one stage for each matrix of weights, each meant for its own device."""
    return [
        Stage(number, device, w, visit, pinned)
        for number, (w, device) in enumerate(zip(weights, devices, strict=True))
    ]


def graph_of(function: Gradients, stages: list[Stage], micro: int) -> Callable:
    """Return a tf.function of (x, y) that calls `function(stages, x, y, micro)`."""

    def step(x, y):
        return function(stages, x, y, micro)

    return tf.function(step)


def in_micro_batches(stages, x, y, micro):
    """Return loss and gradients; the micro-batches do not wait for each other."""
    rows, losses = x.shape[0], []
    size = -(-rows // micro)
    with tf.GradientTape() as tape:
        for start in range(0, rows, size):
            error = through(stages, x[start : start + size]) - y[start : start + size]
            losses.append(tf.reduce_sum(tf.square(error)) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, [stage.w for stage in stages])


def run_in_micro_batches(micro: int, label: str = "", pinned: bool = True) -> Timeline:
    """Run a right step with `micro` micro-batches; arguments as of `run_pipeline`."""
    return run_pipeline(in_micro_batches, micro, label, pinned)


def through(stages: Sequence[Stage], h: tf.Tensor) -> tf.Tensor:
    """Send rows through all stages, each on its own device."""
    for stage in stages:
        with tf.device(stage.device):
            h = stage(h)
    return h


@dataclass(frozen=True)
class Pipeline:
    """How a model is split, and how a step goes through it.

    slow: the number of a stage whose rows take twice as long, or None.
    pinned: whether backward passes run on the devices of their forward passes.
    around: the device that surrounds the whole step; "" for none.
    """

    stages: int = STAGES
    micro: int = 1
    slow: int | None = None
    pinned: bool = True
    around: str = ""


@dataclass(frozen=True)
class PipelineRun:
    """A run: `about[span]` is (number of the stage, rows) of each span's work."""

    pipeline: Pipeline
    timeline: Timeline
    about: dict[Span, tuple[int, int]]


def run_stages(function: Gradients, pipeline: Pipeline, label: str = "") -> PipelineRun:
    """Run a step of 16 rows through the stages; return what ran where, and when.

    Args:
        function: called as function(stages, x, y, micro), in a tf.function.
        pipeline: the stages, and the number of micro-batches.
        label: how figures name the run; the number of micro-batches, if not given.

    Raises:
        StepFailed: the function stops with an error.
    """
    devices, seconds = virtual_devices(STAGES)[: pipeline.stages], 0.0
    recorder, about = SpanRecorder(), {}

    def visit(number, kind, nth, device, rows):
        # an operation without a device runs on the first one
        lane, name = device or devices[0], f"{nth}" if pipeline.micro > 1 else ""
        takes = seconds * rows * (1 + (number == pipeline.slow))
        about[recorder.wait(lane, takes, name, kind)] = number, rows

    rng = np.random.default_rng(9)
    shapes = [(WIDTH, WIDTH)] * (pipeline.stages - 1) + [(WIDTH, 1)]
    weights = [rng.normal(size=shape).astype(np.float32) / 2 for shape in shapes]
    x = tf.constant(rng.normal(size=(ROWS, WIDTH)).astype(np.float32))
    y = tf.constant(rng.normal(size=(ROWS, 1)).astype(np.float32))
    stages = make_stages(weights, devices, visit, pipeline.pinned)

    def surrounded(*arguments):
        with tf.device(pipeline.around or None):
            return function(*arguments)

    step = graph_of(surrounded, stages, pipeline.micro)
    with sentences_of(function):
        step(x, y)  # makes the graph; nothing waits yet
        go_on()
        recorder, seconds = SpanRecorder(), SECONDS_A_ROW
        about.clear()
        step(x, y)
    run = recorder.timeline(label or _label(pipeline.micro), devices)
    return PipelineRun(pipeline, run, about)


def run_pipeline(
    function: Gradients, micro: int = 1, label: str = "", pinned: bool = True
) -> Timeline:
    """Run a step through four equal stages; arguments as of `run_stages`."""
    return run_stages(function, Pipeline(micro=micro, pinned=pinned), label).timeline


def run_ordinary_layers(function: Gradients) -> Timeline:
    """Run the same step with layers that know nothing of their backward pass."""
    return run_pipeline(function, pinned=False)


def _label(micro: int) -> str:
    return "whole batch" if micro == 1 else f"{micro} micro-batches"


def bubble(stages: int, micro: int) -> float:
    """Return the share of idle time in a pipeline without any other delay."""
    return (stages - 1) / (micro + stages - 1)


def forward_visits(run: Timeline) -> list[tuple[int, int, float, float]]:
    """Return (stage, micro-batch, begin, end) of the forward passes, in milliseconds.

    Both are counted from 0; in order of begin. Time 0 is when the first one began.

    Raises:
        ValueError: the run has a backward pass, which keeps stages busy, too.
    """
    if any(span.kind == "backward" for span in run.spans):
        raise ValueError(f"{run.label} goes backward, too; give a forward run")
    spans = [span for span in run.spans if span.kind == "forward"]
    return [_visit_of(run, span) for span in spans]


def _visit_of(run: Timeline, span: Span) -> tuple[int, int, float, float]:
    begin, end = ((at - run.begin) * 1000 for at in (span.begin, span.end))
    return run.lanes.index(span.lane), int(span.name or 0), round(begin), round(end)
