"""Real workers that train two weights, count their rows, and save after some steps."""

from __future__ import annotations

import functools
import itertools
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf

from course.checks.failures import sentences_of
from course.lessons.n20_hangs_when_it_saves.deaths import Death, dying
from course.lessons.n20_hangs_when_it_saves.saved_files import (
    Content,
    files_in,
    write_in_halves,
)
from course.runs.cluster import ClusterRun, note, run_groups
from course.runs.own_failures import in_collective
from course.runs.sequential import train_on_batches
from course.runs.sudden_end import die
from course.runs.worker_steps import step_over_workers, worker_strategy
from course.runs.workloads import Rows, regression

# of (write, folder, worker): called on every worker after the same step
Save = Callable[[Callable[[str], None], str, int], object]

CLASSES = 3  # of rows; a step's all-reduce has three numbers as well
SECONDS = 8.0  # of processor time of a worker; one that is right needs about 1
BEHIND = 0.2  # seconds by which worker 0 is done first: who removes others' files errs
WAIT = 3.0  # seconds for who is to be killed, which may wait for us
LONGEST = 60.0  # seconds for who is slow; where all wait, the run is over before
WEIGHTS = "weights"


@dataclass(frozen=True, eq=False)
class Job:
    """A training that saves.

    rows: of all workers, in their order.
    sizes: for each step, how many rows each worker takes.
    every: steps from one save to the next.
    death: who is killed, if anybody.
    late: steps by which all workers but the first save later, by their own clocks.
    """

    rows: Rows
    sizes: tuple[tuple[int, ...], ...]
    every: int = 2
    death: Death | None = None
    late: int = 0

    @property
    def workers(self) -> int:
        """How many."""
        return len(self.sizes[0])

    @property
    def saves(self) -> tuple[int, ...]:
        """Numbers of the steps, from 0, after which it saves."""
        return tuple(k for k in range(len(self.sizes)) if (k + 1) % self.every == 0)

    def saves_of(self, worker: int) -> tuple[int, ...]:
        """Numbers of the steps after which this worker saves."""
        late = self.late if worker else 0
        return tuple(k + late for k in self.saves if k + late < len(self.sizes))

    def own(self, step: int, worker: int) -> Rows:
        """Return the rows that a worker takes in a step."""
        flat = [size for sizes in self.sizes[:step] for size in sizes]
        start = sum(flat) + sum(self.sizes[step][:worker])
        return self._rows(start, start + self.sizes[step][worker])

    @functools.cached_property
    def truths(self) -> list[np.ndarray]:
        """Return what each save should contain."""
        return [self.after(step) for step in self.saves]

    def after(self, step: int) -> np.ndarray:
        """Return w of one device, and all rows so far by class: float64, (5,)."""
        ends = np.cumsum([0, *map(sum, self.sizes)])
        return np.array(
            [*self._weights[step + 1], *by_class(self._rows(0, ends[step + 1]))]
        )

    @functools.cached_property
    def _weights(self) -> np.ndarray:
        """Those of one device that takes the rows of all workers in each step."""
        ends = np.cumsum([0, *map(sum, self.sizes)]).tolist()
        together = [self._rows(a, b) for a, b in itertools.pairwise(ends)]
        return train_on_batches(together).copies[:, 0]

    def _rows(self, start: int, end: int) -> Rows:
        return self.rows.take(np.arange(start, end))


def counted_rows() -> tf.Variable:
    """Return `seen`, whose value is the sum of what the workers counted: (3,)."""
    return tf.Variable(
        tf.zeros(CLASSES),
        synchronization=tf.VariableSynchronization.ON_READ,
        aggregation=tf.VariableAggregation.SUM,
    )


def by_class(rows: Rows) -> np.ndarray:
    """Count rows by class: y below 1, below 3, and the rest: float32, (3,)."""
    classes = np.digitize(rows.y, (1.0, 3.0))
    return np.bincount(classes, minlength=CLASSES).astype(np.float32)


def job_of(
    sizes: Sequence[Sequence[int]], seed: int = 0, death: Death | None = None
) -> Job:
    """Return the job in which worker i takes sizes[k][i] rows in step k."""
    total = sum(sum(each) for each in sizes)
    return Job(regression(total, seed), tuple(map(tuple, sizes)), death=death)


@dataclass(frozen=True, eq=False)
class SavedRun:
    """What came of a job.

    cluster: how the workers ended.
    files: what lies in the folder after it: name -> content.
    """

    label: str
    job: Job
    cluster: ClusterRun
    files: Mapping[str, Content]

    def calls(self) -> list[list[tuple[int, str]]]:
        """Return for each worker what it did, in order: (step, name)."""
        told = [end.facts.get("calls", []) for end in self.cluster.ends]
        return [[(step, name) for step, name in each] for each in told]

    def paths(self) -> list[list[tuple[int, str]]]:
        """Return for each worker its writes: (step, path)."""
        told = [end.facts.get("paths", []) for end in self.cluster.ends]
        return [[(step, path) for step, path in each] for each in told]

    def held_after(self) -> int | None:
        """Return the step whose save `weights` holds; None: that of no step."""
        held = self.files.get(WEIGHTS)
        for step, truth in zip(self.job.saves, self.job.truths, strict=True):
            if held is not None and np.allclose(held, truth, rtol=0, atol=1e-5):
                return step
        return None

    @property
    def over(self) -> bool:
        """Whether all workers came to the end."""
        return all(end.outcome == "returned" for end in self.cluster.ends)


def train_and_save(
    save: Save, job: Job | None = None, *, slow: float = 0.0, label: str | None = None
) -> SavedRun:
    """Run one job; see `run_jobs`. Without a job, two workers of six steps."""
    (run,) = run_jobs(save, [job or job_of(SHOWN)], slow=slow, label=label)
    return run


SHOWN = ((5, 4), (3, 6), (4, 5), (6, 3), (5, 5), (4, 7))  # rows of two workers, by step


def run_jobs(
    save: Save, jobs: Sequence[Job], *, slow: float = 0.0, label: str | None = None
) -> list[SavedRun]:
    """Run jobs at the same time, each in real workers and in a folder of its own.

    Args:
        save: is called on each worker after the same step, as
            `save(write, folder, worker)`. `write(path)` reads `w` and `seen`, which is
            summed over the workers, and writes a file.
        jobs: what each trains, and whether it is killed.
        slow: seconds that each step sleeps, so that a figure can show it.
        label: how figures name the runs.
    """
    label = label or getattr(save, "__name__", "yours")
    with tempfile.TemporaryDirectory(prefix="course-saves-") as parent:
        folders = [Path(parent, str(number), "saved") for number in range(len(jobs))]
        for folder in folders:
            folder.mkdir(parents=True)
        works = [
            functools.partial(work, save, job, str(folder), slow)
            for job, folder in zip(jobs, folders, strict=True)
        ]
        runs = run_groups(works, [job.workers for job in jobs], SECONDS)
        return [
            SavedRun(label, job, run, files_in(folder))
            for job, run, folder in zip(jobs, runs, folders, strict=True)
        ]


def work(save: Save, job: Job, folder: str, slow: float) -> None:
    """The inside of a worker."""
    member = _Member(job, folder)
    for k in range(len(job.sizes)):
        member.step(k, slow)
        if k in job.saves_of(member.number):
            member.save(save, k)
    if job.death is None:
        member.leave()


class _Member:
    """One worker: its variables, and what it has done."""

    def __init__(self, job: Job, folder: str) -> None:
        self._job, self._folder = job, folder
        self._gone = Path(f"{folder}.gone")  # lies there when the killed one has gone
        self._strategy = worker_strategy()
        self.number = self._strategy.cluster_resolver.task_id
        with self._strategy.scope():
            self._w, self._seen = tf.Variable([0.0, 0.0]), counted_rows()
        self._step = step_over_workers(self._strategy, self._w)
        self._step.get_concrete_function()
        self._calls: list[tuple[int, str]] = []
        self._paths: list[tuple[int, str]] = []

    def _tell(self, k: int, name: str) -> None:
        self._calls.append((k, name))
        note(step=k, calls=self._calls, paths=self._paths)

    def step(self, k: int, slow: float) -> None:
        """Make step k, and count its rows."""
        rows = self._job.own(k, self.number)
        self._tell(k, "step")
        time.sleep(slow)
        with in_collective():
            self._step(tf.constant(rows.x), tf.constant(rows.y))
        self._strategy.run(self._seen.assign_add, (by_class(rows),))
        if self.number == 0:
            self._tell(k, "log")

    def save(self, save: Save, k: int) -> None:
        """Let the learner's function save after step k; die in it where that is due."""
        death = self._job.death if k == self._job.saves_of(self.number)[1] else None
        dies = death is not None and death.worker == self.number

        def end() -> None:
            self._gone.touch()
            die()

        with dying(self._folder, death.moment if dies else None, end) as around:
            write = functools.partial(self._write, k, death is not None and not dies)
            with sentences_of(save):
                save(functools.partial(write, *around), self._folder, self.number)
        if dies:
            self._gone.touch()

    def leave(self) -> None:
        """Let worker 0 end last: without it, TensorFlow ends the others."""
        done = [Path(f"{self._folder}.done_{k}") for k in range(self._job.workers)]
        done[self.number].touch()
        if self.number == 0:
            for each in done:
                _await(each, LONGEST)

    def _write(
        self, k: int, waits: bool, unseen: Callable, between: Callable, path: str
    ) -> None:
        with unseen():
            self._paths.append((k, os.path.realpath(path)))
            self._tell(k, "save")
            with in_collective():
                values = self._w.numpy(), self._seen.read_value().numpy()
            if waits:  # the killed one goes first: changes of the folder are counted
                _await(self._gone, WAIT)
            elif self.number:
                time.sleep(BEHIND)
            write_in_halves(path, *values, between)


def _await(file: Path, seconds: float) -> None:
    """Wait until another worker has made a file; not for ever, since it may be gone."""
    until = time.monotonic() + seconds
    while not file.exists() and time.monotonic() < until:
        time.sleep(0.01)
