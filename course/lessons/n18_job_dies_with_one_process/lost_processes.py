"""Jobs of several real processes, one of which is lost in the middle."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf

from course.checks.failures import StepFailed, sentences_of
from course.lessons.n18_job_dies_with_one_process.killed_training import (
    UNKNOWN,
    Resumable,
)
from course.lessons.n18_job_dies_with_one_process.momentum import (
    momentum_step,
    train_with_momentum,
)
from course.runs.cluster import Cluster, End, note, serve
from course.runs.cluster.gates import Gate, Gates
from course.runs.own_failures import in_collective
from course.runs.worker_steps import worker_strategy
from course.runs.workloads import Rows, regression

STEPS, EVERY, AT = 40, 10, 28  # the process is lost in step AT
BATCHES = tuple(regression(2 * STEPS).batches(2))
SLOW = 0.02  # seconds that a step sleeps
SERVERS = ("worker 0", "worker 1", "ps 0")
QUIET = 3.0


@dataclass(frozen=True)
class Life:
    """A job from one start to its end.

    begun: (seconds, step) at the beginning of each step; seconds since the first start.
    lost: (seconds, name) of the process that was lost, or None.
    end: how the process ended that counts the steps.
    alive: the processes that were there at the end.
    until: seconds, when it was over.
    """

    begun: tuple[tuple[float, int], ...]
    lost: tuple[float, str] | None
    end: End
    alive: tuple[str, ...]
    until: float


@dataclass(frozen=True, eq=False)
class LostRun:
    """A job, started again as long as it did not come to its end.

    label: how figures name it.
    truth: float64, (2, 2): weights and momentum without any failure.
    """

    label: str
    lives: tuple[Life, ...]
    truth: np.ndarray

    @property
    def log(self) -> list[tuple[float, int]]:
        """(seconds, step) of each step that was begun, of all lives."""
        return [begun for life in self.lives for begun in life.begun]

    @property
    def done(self) -> bool:
        """Whether it came to its end."""
        return self.lives[-1].end.outcome == "returned"

    def off(self) -> float:
        """Largest distance of weights or momentum from the run without failure."""
        return float(np.abs(self.lives[-1].end.value - self.truth).max())


def with_servers(
    train: Resumable,
    lose: str,
    *,
    halt: bool = False,
    lives: int = 1,
    label: str | None = None,
) -> LostRun:
    """Train on a chief, two workers and a parameter server, and lose one of them.

    Args:
        train: called on the chief; its `step(x, y)` is made by a worker.
        lose: the process, such as "ps 0", killed in step 28 of the first life.
        halt: it is halted, not killed: it keeps its connections, and answers nothing.
        lives: how often it is started at most, where it stops with an error.
        label: how figures name it.

    Raises:
        StepFailed: the function stopped with an error of its own, or made no step.
    """
    folder, before, done = tempfile.mkdtemp(prefix="course-job-"), time.monotonic(), []
    try:
        while len(done) < lives and (not done or done[-1].end.outcome == "raised"):
            lost = None if done else lose
            done.append(_life_with_servers(train, folder, lost, halt, before))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    name = label or f"servers, {lose} {'halted' if halt else 'killed'}"
    return LostRun(name, tuple(done), train_with_momentum(BATCHES))


def _life_with_servers(
    train: Resumable, folder: str, lose: str | None, halt: bool, before: float
) -> Life:
    with Cluster({"chief": 1, "worker": 2, "ps": 1}, quiet=QUIET) as cluster:
        cluster.start(serve, only=SERVERS)
        begun = time.monotonic() - before
        cluster.wait_until(lambda: all(map(cluster.serves, SERVERS)))
        loss = _Loss(cluster, lose, halt, before)
        with Gates(1, [loss] if lose else []) as gates:
            gate = gates.gate if lose else None
            cluster.start(chief, train, folder, gate, only=["chief 0"])
            cluster.wait_until(lambda: "chief 0" not in cluster.running())
            alive = tuple(sorted(cluster.running()))
        run = cluster.finish()
    return _life(run["chief 0"], begun, loss, alive, time.monotonic() - before)


def with_mirrors(train: Resumable, lose: str, *, label: str | None = None) -> LostRun:
    """Train on two workers of MultiWorkerMirroredStrategy, and kill one in step 28.

    Args:
        train: called on both workers; its `step(x, y)` is a synchronous step.
        lose: "worker 0" or "worker 1".
        label: how figures name it.

    Raises:
        StepFailed: the function stopped with an error of its own, or made no step.
    """
    folder, before = tempfile.mkdtemp(prefix="course-job-"), time.monotonic()
    other = "worker 1" if lose == "worker 0" else "worker 0"
    try:
        with Cluster({"worker": 2}, quiet=None) as cluster:
            loss = _Loss(cluster, lose, False, before)
            with Gates(2, [loss]) as gates:
                cluster.start(_mirror, train, folder, gates.gate)
                begun = time.monotonic() - before
                cluster.wait_until(lambda: other not in cluster.running())
                alive = tuple(sorted(cluster.running()))
            run = cluster.finish()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    life = _life(run[other], begun, loss, alive, time.monotonic() - before)
    truth = train_with_momentum(BATCHES)
    return LostRun(label or f"mirrored, {lose} killed", (life,), truth)


class _Loss:
    """Takes a process away, and remembers when."""

    def __init__(
        self, cluster: Cluster, name: str | None, halt: bool, before: float
    ) -> None:
        self._cluster, self._name, self._halt = cluster, name, halt
        self._before = before
        self.happened: tuple[float, str] | None = None

    def __call__(self) -> None:
        if self._halt:
            self._cluster.stop(self._name)
        else:
            self._cluster.kill(self._name)
        self.happened = time.monotonic() - self._before, self._name
        while not self._halt and self._name in self._cluster.running():
            time.sleep(0.01)


def _life(
    end: End, begun: float, loss: _Loss, alive: tuple[str, ...], until: float
) -> Life:
    steps = begun_steps(end, begun)
    own = end.outcome == "raised" and "failed" not in end.facts
    if own or end.outcome in ("left", "killed") or not steps:
        said = end.sentences or (f"{str(end).capitalize()}, without a step.",)
        raise StepFailed(said)
    return Life(steps, loss.happened, end, alive, until)


def begun_steps(end: End, begun: float) -> tuple[tuple[float, int], ...]:
    """Return (seconds, step) of each step that a life began which itself began then."""
    steps: list[tuple[float, int]] = []
    told = 0
    for beat in end.beats:
        if beat.facts.get("begun", 0) > told:
            told = beat.facts["begun"]
            steps.append((begun + beat.at, beat.facts["step"]))
    return tuple(steps)


def chief(
    train: Resumable,
    folder: str,
    gate: Gate | None,
    every: int = EVERY,
    slow: float = SLOW,
) -> np.ndarray:
    """Train as the chief of parameter servers, and return (2, 2): weights, momentum."""
    found = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    strategy = tf.distribute.ParameterServerStrategy(found)
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    with strategy.scope():
        w, momentum = tf.Variable(tf.zeros(2)), tf.Variable(tf.zeros(2))
    update = tf.function(momentum_step(w, momentum), reduce_retracing=True)

    def on_a_worker(x: tf.Tensor, y: tf.Tensor) -> None:
        coordinator.schedule(update, args=(x, y))
        coordinator.join()

    return _train(train, folder, w, momentum, on_a_worker, gate, BATCHES, every, slow)


def _mirror(train: Resumable, folder: str, gate: Gate) -> np.ndarray:
    strategy = worker_strategy()
    with strategy.scope():
        w, momentum = tf.Variable(tf.zeros(2)), tf.Variable(tf.zeros(2))

    def mean(gradient: tf.Tensor) -> tf.Tensor:
        return tf.distribute.get_replica_context().all_reduce("MEAN", gradient)

    in_replica = momentum_step(w, momentum, mean)

    @tf.function(reduce_retracing=True)
    def together(x: tf.Tensor, y: tf.Tensor) -> None:
        strategy.run(in_replica, (x, y))

    worker = strategy.cluster_resolver.task_id
    own = tuple(batch.take(np.array([worker])) for batch in BATCHES)
    place = Path(folder) / str(worker)
    place.mkdir()
    return _train(train, str(place), w, momentum, together, gate, own)


def _train(
    train: Resumable,
    folder: str,
    w: tf.Variable,
    momentum: tf.Variable,
    update: Callable,
    gate: Gate | None,
    batches: tuple[Rows, ...],
    every: int = EVERY,
    slow: float = SLOW,
) -> np.ndarray:
    """Call the training function with a step that tells of itself."""
    begun = 0

    def step(x: tf.Tensor, y: tf.Tensor) -> None:
        nonlocal begun
        begun += 1
        given = np.asarray(x)
        same = (k for k, b in enumerate(batches) if np.array_equal(b.x, given))
        number = next(same, UNKNOWN)
        note(begun=begun, step=number)
        if gate is not None and number == AT and begun == AT + 1:
            gate.wait(0)
        with in_collective():
            update(x, y)
        time.sleep(slow)

    given = [(tf.constant(each.x), tf.constant(each.y)) for each in batches]
    with sentences_of(train):
        train(folder, given, w, momentum, step, every)
    return np.array([w.numpy(), momentum.numpy()], np.float64)
