"""Steps on the workers of a parameter server, in an order that chance can't change.

Two workers take the next two steps that are scheduled. Both read the weights before one
of them writes: what may happen with free workers happens here always.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf

from course.checks.failures import StepFailed, sentences_of
from course.runs.cluster import Cluster, note, serve
from course.runs.workloads import LEARNING_RATE, Rows

# of (steps, schedule, join)
Train = Callable[..., object]
SERVERS = ("worker 0", "worker 1", "ps 0")
WORKERS = 2
SECONDS = 8.0  # of processor time; a right answer needs about 2
POLL = 0.001
MOST = 3  # times as many steps may be scheduled as there are batches


@dataclass(frozen=True, eq=False)
class ScheduledRun:
    """What was done.

    together: the steps that workers made at the same time, group after group.
    weights: float64, (2,), at the end.
    """

    together: tuple[tuple[int, ...], ...]
    weights: np.ndarray


def train_scheduled(train: Train, batches: tuple[Rows, ...]) -> ScheduledRun:
    """Run `train(steps, schedule, join)` on a chief; step k takes batch k.

    Raises:
        StepFailed: it stopped with an error, or had no end.
    """
    folder = tempfile.mkdtemp(prefix="course-steps-")
    tasks = {"chief": 1, "worker": WORKERS, "ps": 1}
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
        return ScheduledRun(*end.value)
    if end.outcome == "raised":
        raise StepFailed(end.sentences)
    raise StepFailed(
        (
            f"It did not come to its end; it was last seen at {end.line}. Is there a "
            "loop that never ends?",
        )
    )


def _chief(train: Train, batches: tuple[Rows, ...], folder: str) -> tuple:
    found = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    strategy = tf.distribute.ParameterServerStrategy(found)
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    with strategy.scope():
        w = tf.Variable(tf.zeros(2))
    step, turns = _step(w, folder), _Turns(folder)

    def schedule(k: int) -> None:
        batch, number = batches[_verified(k, len(batches))], len(turns.scheduled)
        if number >= MOST * len(batches):
            raise ValueError(
                f"{number + 1} steps were scheduled for {len(batches)} batches; is "
                "there a loop that never ends?"
            )
        given = (tf.constant(str(number)), tf.constant(batch.x), tf.constant(batch.y))
        coordinator.schedule(step, args=given)
        turns.scheduled.append(int(k))
        note(scheduled=number)

    def join() -> None:
        turns.joining = True
        coordinator.join()
        turns.settle()

    turns.start()
    with sentences_of(train):
        train(len(batches), schedule, join)
    turns.settle(least=WORKERS)
    turns.over = True
    return tuple(turns.together), np.asarray(w.numpy(), np.float64)


def _verified(k: object, steps: int) -> int:
    try:
        number = int(k)
    except (TypeError, ValueError):
        number = -1
    if not 0 <= number < steps:
        raise ValueError(f"schedule takes a step from 0 to {steps - 1}, not {k!r}")
    return number


class _Turns(threading.Thread):
    """Lets scheduled steps read and write, two at a time, in order."""

    def __init__(self, folder: str) -> None:
        super().__init__(daemon=True)
        self._folder = Path(folder)
        self.scheduled: list[int] = []
        self.together: list[tuple[int, ...]] = []
        self._done = 0
        self.joining = self.over = False

    def run(self) -> None:
        while not self.over:
            waiting = len(self.scheduled) - self._done
            if waiting >= WORKERS or (waiting and self.joining):
                self._make(range(self._done, self._done + min(waiting, WORKERS)))
            time.sleep(POLL)

    def settle(self, least: int = 1) -> None:
        """Wait until fewer than `least` steps are left; end a join."""
        while len(self.scheduled) - self._done >= least:
            time.sleep(POLL)
        self.joining = False

    def _make(self, numbers: range) -> None:
        for number in numbers:
            self._let("read", number)
        for number in numbers:
            self._let("write", number)
        self.together.append(tuple(self.scheduled[number] for number in numbers))
        self._done += len(numbers)

    def _let(self, what: str, number: int) -> None:
        (self._folder / f"may-{what}.{number}").touch()
        while not (self._folder / f"did-{what}.{number}").exists():
            time.sleep(POLL)


def _step(w: tf.Variable, folder: str) -> Callable:
    """Return a step that waits for its turns inside TensorFlow, on whatever worker."""
    base = tf.constant(f"{folder}/")

    @tf.function(
        input_signature=[
            tf.TensorSpec([], tf.string),
            tf.TensorSpec([None, 2], tf.float32),
            tf.TensorSpec([None], tf.float32),
        ]
    )
    def step(number: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> None:
        with tf.control_dependencies([wait_for(base + "may-read." + number)]):
            now = w.read_value()
            error = tf.linalg.matvec(x, now) - y
            mean = tf.cast(tf.size(y), tf.float32)
            gradient = 2 * tf.linalg.matvec(x, error, transpose_a=True) / mean
        with tf.control_dependencies([gradient]):
            did = tf.io.write_file(base + "did-read." + number, "")
        with tf.control_dependencies([did]):
            may = wait_for(base + "may-write." + number)
        with tf.control_dependencies([may]):
            done = w.assign_sub(LEARNING_RATE * gradient)
        with tf.control_dependencies([done]):
            tf.io.write_file(base + "did-write." + number, "")

    return step


def wait_for(file: tf.Tensor) -> tf.Tensor:
    """Wait in a graph until a file is there; return how often it was looked for."""

    def missing(turn: tf.Tensor) -> tf.Tensor:
        # a name that seems to change with the loop is not looked up only once
        nothing = tf.strings.substr(tf.strings.as_string(turn), 0, 0)
        return tf.equal(tf.size(tf.io.matching_files(file + nothing)), 0)

    one = tf.constant(0)
    return tf.while_loop(missing, lambda turn: [turn + 1], [one])[0]
