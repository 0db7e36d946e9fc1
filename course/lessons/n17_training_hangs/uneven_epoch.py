"""Train two weights in real workers whose data end at different steps."""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

import numpy as np
import tensorflow as tf

from course.checks.failures import sentences_of
from course.runs.cluster import ClusterRun, note, run_workers
from course.runs.own_failures import failed_in_collectives, in_collective, raise_own
from course.runs.worker_steps import step_over_workers, sum_of_workers, worker_strategy
from course.runs.workloads import Rows

# of (batches, no_rows, step, sum_over_workers): makes one epoch on one worker
Epoch = Callable[..., object]
Batches = list[list[int]]  # the rows of each step, by their numbers
SECONDS = 8.0  # of processor time of a worker; one that is right needs about 1
UNKNOWN = -1  # number of a row that is not in the data


@dataclass(frozen=True, eq=False)
class Parts:
    """What every worker has to read.

    rows: all of them.
    own: the numbers of each worker's rows.
    batch: of one worker.
    """

    rows: Rows
    own: tuple[tuple[int, ...], ...]
    batch: int
    epochs: int = 1

    def __post_init__(self) -> None:
        if not self.own or not any(self.own):
            raise ValueError("at least one worker must have rows")

    def __str__(self) -> str:
        sizes = ", ".join(str(len(own)) for own in self.own)
        epochs = f"{self.epochs} epochs" if self.epochs > 1 else "1 epoch"
        return (
            f"{self.workers} real workers with {sizes} rows, batches of {self.batch}, "
            f"{epochs}"
        )

    @property
    def workers(self) -> int:
        """Their number."""
        return len(self.own)

    @property
    def steps(self) -> int:
        """Steps of an epoch, until the last worker has read all."""
        return max(len(self.batches(worker)) for worker in range(self.workers))

    @property
    def most_steps(self) -> int:
        """Steps of an epoch after which a function is taken to be endless."""
        return 3 * self.steps + 5

    def batches(self, worker: int) -> Batches:
        """Return the rows of each of this worker's own batches."""
        own = list(self.own[worker])
        return [own[k : k + self.batch] for k in range(0, len(own), self.batch)]

    def numbers(self, x: np.ndarray) -> list[int]:
        """Return the numbers of rows by their x, (rows, 2); UNKNOWN for a new one."""
        known = dict(zip(map(bytes, self.rows.x), self.rows.ids.tolist(), strict=True))
        return [known.get(bytes(row), UNKNOWN) for row in x]

    def together(self) -> Batches:
        """Return, for each step of an epoch, the rows of all workers."""
        every = [self.batches(worker) for worker in range(self.workers)]
        steps = zip_longest(*every, fillvalue=[])
        return [list(chain(*step)) for step in steps]


def parts_of(rows: Rows, sizes: Sequence[int], batch: int, epochs: int = 1) -> Parts:
    """Give the first sizes[0] rows to worker 0, the next sizes[1] to worker 1, ...

    Raises:
        ValueError: the sizes are not as many as the rows.
    """
    if sum(sizes) != len(rows):
        raise ValueError(f"{list(sizes)} are not {len(rows)} rows")
    ends = np.cumsum(sizes)
    own = (
        range(int(end - size), int(end)) for size, end in zip(sizes, ends, strict=True)
    )
    return Parts(rows, tuple(map(tuple, own)), batch, epochs)


@dataclass(frozen=True, eq=False)
class UnevenRun:
    """What the workers did.

    cluster: how their processes ended, and where they were over time.
    parts: what they had to read.
    weights: float64, (workers, steps + 1, 2); None where a worker was not done.
    """

    label: str
    cluster: ClusterRun
    parts: Parts
    weights: np.ndarray | None

    @property
    def waiting(self) -> tuple[bool, ...]:
        """Which workers waited for ever."""
        return tuple(end.outcome == "waited" for end in self.cluster.ends)

    @property
    def failed(self) -> tuple[str, ...]:
        """TensorFlow's errors in collectives, by worker; "" where there was none."""
        return failed_in_collectives(self.cluster)

    def calls(self) -> list[list[tuple[str, int]]]:
        """Return, for each worker, what it entered in order: (name, elements).

        The last one of a worker may be one that it never came out of.
        """
        told = [end.facts.get("calls", []) for end in self.cluster.ends]
        return [[(name, elements) for name, elements in each] for each in told]

    def fed(self) -> list[Batches]:
        """Return, for each worker, the numbers of the rows of each step it entered."""
        return [end.facts.get("fed", []) for end in self.cluster.ends]


def train_uneven(
    epoch: Epoch, parts: Parts, *, slow: float = 0.0, label: str | None = None
) -> UnevenRun:
    """Let real workers train with `epoch(batches, no_rows, step, sum_over_workers)`.

    Args:
        epoch: makes one epoch on one worker. `batches` is a dataset of (x, y) of
            unknown length, `no_rows` a pair (x, y) without rows, `step(x, y)` a
            synchronous step, `sum_over_workers(number)` the sum of what all hand in.
        parts: what each worker reads.
        slow: seconds that each step sleeps, so that a figure can show it.
        label: how figures name the run.

    Raises:
        StepFailed: the function itself stopped with an error; says on which worker,
            and why. An error of a collective is what the run shows.
    """
    # a partial has no code of its own: where a worker stands is told in the epoch's
    own = functools.partial(work, epoch, parts, slow)
    cluster = run_workers(own, workers=parts.workers, seconds=SECONDS)
    label = label or getattr(epoch, "__name__", "yours")
    run = UnevenRun(label, cluster, parts, None)
    raise_own(cluster)
    if any(run.failed) or any(run.waiting):
        return run
    weights = _stacked([end.value for end in cluster.ends])
    return dataclasses.replace(run, weights=weights)


def _stacked(weights: list[np.ndarray]) -> np.ndarray:
    """Put workers that made fewer steps beside the others: NaN where they made none."""
    longest = max(map(len, weights))
    padded = np.full((len(weights), longest, 2), np.nan)
    for worker, each in enumerate(weights):
        padded[worker, : len(each)] = each
    return padded


def work(epoch: Epoch, parts: Parts, slow: float) -> np.ndarray:
    """Train in a worker, and return its weights after each step: (steps + 1, 2)."""
    strategy = worker_strategy()
    mine = parts.batches(strategy.cluster_resolver.task_id)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    graph_step, graph_sum = step_over_workers(strategy, w), sum_of_workers(strategy)
    # traced in this order on all workers: a collective's number comes from the tracing
    for each in (graph_step, graph_sum):
        each.get_concrete_function()
    weights, fed, calls = [w.numpy()], [], []

    def step(x: object, y: object) -> None:
        x, y = tf.convert_to_tensor(x), tf.convert_to_tensor(y)
        if len(fed) >= parts.most_steps * parts.epochs:
            raise RuntimeError(
                f"step was called {len(fed) + 1} times on this worker. Does the loop "
                "ever end?"
            )
        fed.append(parts.numbers(x.numpy()))
        calls.append(("step", 3))  # two numbers of the gradient and one of the count
        note(step=len(fed) - 1, fed=fed, calls=calls)
        time.sleep(slow)
        with in_collective():
            graph_step(x, y)
        weights.append(w.numpy())
        note(left=len(fed) - 1)

    def sum_over_workers(number: float) -> float:
        calls.append(("sum", 1))
        note(calls=calls)
        with in_collective():
            return float(graph_sum(tf.cast(number, tf.float32)))

    no_rows = (tf.zeros((0, 2)), tf.zeros(0))
    for _ in range(parts.epochs):
        with sentences_of(epoch):
            epoch(_dataset(parts.rows, mine), no_rows, step, sum_over_workers)
    return np.array(weights, np.float64)


def _dataset(rows: Rows, batches: Batches) -> tf.data.Dataset:
    """Return batches (x, y), without saying how many."""

    def make() -> object:
        for ids in batches:
            part = rows.take(ids)
            yield part.x, part.y

    return tf.data.Dataset.from_generator(
        make,
        output_signature=(
            tf.TensorSpec([None, 2], tf.float32),
            tf.TensorSpec([None], tf.float32),
        ),
    )
