"""Steps of real workers over links of our own: own work, then the all-reduces."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import tensorflow as tf

from course.checks.failures import sentences_of
from course.lessons.n16_more_workers_slower_steps.linked_workers import run_linked
from course.lessons.n16_more_workers_slower_steps.reduced_sets import verified
from course.runs.cluster.gates import Gate
from course.runs.spans import Span
from course.runs.worker_steps import worker_strategy

STEPS = 3
WORK, SLOW_WORK = 0.02, 0.1  # seconds of own work in a step: a sleep
SLOW = 1  # the worker that is slow, or whose link is
OWN, WAIT = "own work", "all-reduces"


@dataclass(frozen=True)
class Circumstances:
    """Under which workers make their steps.

    workers: how many.
    tensors, numbers: of a gradient; the tensors are equally long, of float32.
    delay: seconds that each byte takes, one way.
    bandwidth: bytes a second of each link; None: as fast as it goes.
    loss: share of the pieces that a link loses.
    one_link: whether delay and loss are those of worker SLOW's link alone.
    slow: whether worker SLOW works for longer than the others.
    table: seconds of own work, [step][worker], where it is not always the same.
    """

    workers: int = 2
    tensors: int = 12
    numbers: int = 2400
    delay: float = 0.0
    bandwidth: float | None = None
    loss: float = 0.0
    one_link: bool = False
    slow: bool = False
    table: Sequence[Sequence[float]] = ()

    def of_links(self, value: float) -> list[float]:
        """Return, for each worker's link, `value` or 0."""
        all_of_them = not self.one_link
        return [value * (all_of_them or w == SLOW) for w in range(self.workers)]

    @property
    def works(self) -> list[list[float]]:
        """Seconds of own work, [step][worker]."""
        own = [SLOW_WORK if self.slow and w == SLOW else WORK for w in self.all]
        return [list(map(float, row)) for row in self.table] or [own] * STEPS

    @property
    def all(self) -> range:
        """The workers."""
        return range(self.workers)

    @property
    def ideal(self) -> float:
        """Seconds of a step with ONE all-reduce of all numbers, and no other cost.

        Each worker then works equally long in every step.
        In an all-reduce of n workers, 2 (n - 1) messages come one after the other, each
        of which is asked for and sent; 2 (n - 1) / n of the bytes go over each link.
        (Measured, too: where one link is slow, each second of these waits is over it.)
        """
        turns = 2 * (self.workers - 1)
        waits = turns * (1 if self.one_link else 2) * self.delay
        sent = 4 * self.numbers * turns / self.workers
        own = max(map(sum, zip(*self.works, strict=True))) / len(self.works)
        return own + waits + sent / (self.bandwidth or float("inf"))


@dataclass(frozen=True)
class PlayedSteps:
    """What came of it.

    label: the function's name.
    spans: of each worker's own work and its all-reduces, in seconds; named by the step.
    messages: that came to worker 1's link in one step.
    """

    label: str
    circumstances: Circumstances
    spans: tuple[Span, ...]
    messages: float

    @property
    def steps(self) -> int:
        """How many steps there were."""
        return len(self.circumstances.works)

    @property
    def step(self) -> float:
        """Seconds of a step, on average."""
        return max(span.end for span in self.spans) / self.steps


def play_steps(reduce: Callable, circumstances: Circumstances) -> PlayedSteps:
    """Let real workers make some steps, and call `reduce(context, gradients)` in each.

    Raises:
        StepFailed: a worker stopped with an error; says which, and why.
    """
    c = circumstances
    sizes = [c.numbers // c.tensors] * c.tensors
    run = run_linked(
        _work,
        reduce,
        sizes,
        c.works,
        delays=[[0.0] * c.workers, c.of_links(c.delay)],
        bandwidth=c.bandwidth,
        losses=c.of_links(c.loss),
    )
    spans = spans_of(run.values)
    label = getattr(reduce, "__name__", "yours")
    return PlayedSteps(label, c, spans, run.messages[1] / len(c.works))


def spans_of(times: Sequence[Sequence[tuple[float, float, float]]]) -> tuple[Span, ...]:
    """Return the spans of workers' (began, entered, left), from the first begin on."""
    zero = min(own[0][0] for own in times)
    spans = []
    for worker, own in enumerate(times):
        for step, (began, entered, left) in enumerate(own):
            edges = began - zero, entered - zero, left - zero
            lane, name = f"worker {worker}", str(step)
            spans.append(Span(lane, *edges[:2], name, OWN))
            spans.append(Span(lane, *edges[1:], name, WAIT))
    return tuple(sorted(spans, key=lambda span: span.begin))


def _work(
    gate: Gate, reduce: Callable, sizes: list[int], works: list[list[float]]
) -> list[tuple[float, float, float]]:
    """In a worker: when it began each step, entered its all-reduces, and left them."""
    strategy = worker_strategy(health_checks=False)  # they would be counted, too
    worker = strategy.cluster_resolver.task_id
    gradients = [tf.ones(size) for size in sizes]

    def replica_step() -> list[tf.Tensor]:
        own = [tf.identity(gradient) for gradient in gradients]
        return verified(reduce(tf.distribute.get_replica_context(), own))

    @tf.function
    def exchange() -> list[tf.Tensor]:
        return strategy.run(replica_step)

    gate.wait(0)
    with sentences_of(reduce):
        exchange()  # the first call is traced
    gate.wait(1)
    times = []
    for own in works:
        began = time.monotonic()
        time.sleep(own[worker])
        entered = time.monotonic()
        exchange()
        times.append((began, entered, time.monotonic()))
    gate.wait(2)
    return times
