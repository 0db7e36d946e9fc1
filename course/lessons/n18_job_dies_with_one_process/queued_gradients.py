"""Run a program on a queue of gradients, with real workers and a parameter server."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf

from course.checks.failures import StepFailed, sentences_of
from course.lessons.n18_job_dies_with_one_process.gradient_queue import (
    GradientQueue,
    Part,
)
from course.runs.cluster import Cluster, note, serve
from course.runs.workloads import LEARNING_RATE, Rows

# of (sizes, gradient, update)
Train = Callable[..., object]
SERVERS = ("worker 0", "worker 1", "ps 0")
SECONDS = 8.0  # of processor time; a right answer needs about 2


@dataclass(frozen=True, eq=False)
class QueuedRun:
    """What was done.

    weights: float64, (2,), at the end.
    rows: that were computed.
    in_turn: rows that were computed one after the other.
    """

    weights: np.ndarray
    rows: int
    in_turn: int


def train_queued(train: Train, batches: Sequence[Rows]) -> QueuedRun:
    """Run `train(sizes, gradient, update)` on a chief.

    Raises:
        StepFailed: it stopped with an error, or had no end.
    """
    folder = tempfile.mkdtemp(prefix="course-steps-")
    tasks = {"chief": 1, "worker": 2, "ps": 1}
    try:
        with Cluster(tasks, seconds=SECONDS) as cluster:
            cluster.start(serve, only=SERVERS)
            cluster.wait_until(lambda: all(map(cluster.serves, SERVERS)))
            cluster.start(_chief, train, batches, folder, only=["chief 0"])
            cluster.wait_until(lambda: "chief 0" not in cluster.running())
            end = cluster.finish()["chief 0"]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if end.outcome == "returned":
        return end.value
    if end.outcome == "raised":
        raise StepFailed(end.sentences)
    raise StepFailed(
        (
            f"It did not come to its end; it was last seen at {end.line}. Is there a "
            "loop that never ends?",
        )
    )


def _chief(train: Train, batches: Sequence[Rows], folder: str) -> QueuedRun:
    found = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    strategy = tf.distribute.ParameterServerStrategy(found)
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    with strategy.scope():
        w = tf.Variable(tf.zeros(2))
    step, groups = _gradient(w), 0

    def compute(parts: Sequence[Part]) -> list[np.ndarray]:
        nonlocal groups
        files = [str(Path(folder, f"{groups}-{place}")) for place in range(len(parts))]
        groups += 1
        note(groups=groups)
        queued = [
            coordinator.schedule(
                step, args=tuple(map(tf.constant, (mine, other, rows.x, rows.y)))
            )
            for mine, other, rows in zip(
                files,
                reversed(files),
                (_rows(batches, part) for part in parts),
                strict=True,
            )
        ]
        coordinator.join()
        return [one.fetch() for one in queued]

    def apply(gradient: np.ndarray) -> None:
        w.assign_sub(LEARNING_RATE * tf.constant(gradient))

    sizes = [len(batch) for batch in batches]
    queue = GradientQueue(sizes, compute, apply)
    with sentences_of(train):
        train(sizes, queue.gradient, queue.update)
    weights = np.asarray(w.numpy(), np.float64)
    return QueuedRun(weights, queue.rows, queue.in_turn)


def _rows(batches: Sequence[Rows], part: Part) -> Rows:
    k, first, last = part
    return batches[k].take(np.arange(first, last))


def _gradient(w: tf.Variable) -> Callable:
    """Return a gradient that is computed while another worker has begun the other."""

    @tf.function(
        input_signature=[
            tf.TensorSpec([], tf.string),
            tf.TensorSpec([], tf.string),
            tf.TensorSpec([None, 2], tf.float32),
            tf.TensorSpec([None], tf.float32),
        ]
    )
    def gradient(mine: tf.Tensor, other: tf.Tensor, x: tf.Tensor, y: tf.Tensor):
        with tf.control_dependencies([tf.io.write_file(mine, "")]):
            met = wait_for(other)
        with tf.control_dependencies([met]):
            error = tf.linalg.matvec(x, w.read_value()) - y
        rows = tf.cast(tf.size(y), tf.float32)
        return 2 * tf.linalg.matvec(x, error, transpose_a=True) / rows

    return gradient


def wait_for(file: tf.Tensor) -> tf.Tensor:
    """Wait in a graph until a file is there; return how often it was looked for."""

    def missing(turn: tf.Tensor) -> tf.Tensor:
        # a name that seems to change with the loop is not looked up only once
        nothing = tf.strings.substr(tf.strings.as_string(turn), 0, 0)
        return tf.equal(tf.size(tf.io.matching_files(file + nothing)), 0)

    one = tf.constant(0)
    return tf.while_loop(missing, lambda turn: [turn + 1], [one])[0]
