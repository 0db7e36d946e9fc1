"""Real workers that train two weights, count their rows, and save after some steps."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import tempfile
import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import tensorflow as tf

from course.checks.failures import sentences_of
from course.lessons.n20_hangs_when_it_saves.deaths import Death, dying
from course.runs.cluster import Cluster, ClusterRun, note
from course.runs.own_failures import in_collective, raise_own
from course.runs.sequential import train_on_batches
from course.runs.sudden_end import die
from course.runs.worker_steps import step_over_workers, worker_strategy
from course.runs.workloads import Rows, regression

# of (write, folder, worker): called on every worker after the same step
Save = Callable[[Callable[[str], None], str, int], object]
Content = np.ndarray | None  # of a file: w and seen, float64 (5,); None: not whole

CLASSES = 3  # of rows; a step's all-reduce has three numbers as well
SECONDS = 8.0  # of processor time of a worker; one that is right needs about 1
WAIT = 3.0  # seconds for the worker that is to be killed
WEIGHTS = "weights"


@dataclass(frozen=True, eq=False)
class Job:
    """A training that saves.

    rows: of all workers, in their order.
    sizes: for each step, how many rows each worker takes.
    every: steps from one save to the next.
    death: who is killed, if anybody.
    """

    rows: Rows
    sizes: tuple[tuple[int, ...], ...]
    every: int = 2
    death: Death | None = None

    @property
    def workers(self) -> int:
        """How many."""
        return len(self.sizes[0])

    @property
    def saves(self) -> tuple[int, ...]:
        """Numbers of the steps, from 0, after which it saves."""
        return tuple(k for k in range(len(self.sizes)) if (k + 1) % self.every == 0)

    def own(self, step: int, worker: int) -> Rows:
        """Return the rows that a worker takes in a step."""
        flat = [size for sizes in self.sizes[:step] for size in sizes]
        start = sum(flat) + sum(self.sizes[step][:worker])
        return self.rows.take(range(start, start + self.sizes[step][worker]))

    @functools.cached_property
    def truths(self) -> list[np.ndarray]:
        """Return what each save is to hold: w of one device, and all rows by class."""
        steps = range(len(self.sizes))
        ends = np.cumsum([sum(sizes) for sizes in self.sizes]).tolist()
        together = [
            self.rows.take(range(end - sum(self.sizes[k]), end))
            for k, end in zip(steps, ends, strict=True)
        ]
        weights = train_on_batches(together).copies[:, 0]
        return [
            np.array([*weights[k + 1], *by_class(self.rows.take(range(ends[k])))])
            for k in self.saves
        ]


def by_class(rows: Rows) -> np.ndarray:
    """Count rows by class, which is a row's number modulo 3: float32, (3,)."""
    return np.bincount(rows.ids % CLASSES, minlength=CLASSES).astype(np.float32)


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

    @property
    def over(self) -> bool:
        """Whether all workers came to the end."""
        return all(end.outcome == "returned" for end in self.cluster.ends)


def train_and_save(
    save: Save, job: Job | None = None, *, slow: float = 0.0, label: str | None = None
) -> SavedRun:
    """Run one job; see `run_jobs`. Without a job, two workers of four steps."""
    (run,) = run_jobs(save, [job or job_of(SHOWN)], slow=slow, label=label)
    return run


SHOWN = ((5, 4), (3, 6), (4, 5), (6, 3))  # rows of two workers in four steps


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
    with (
        tempfile.TemporaryDirectory(prefix="course-saves-") as parent,
        Cluster(
            {"worker": sum(job.workers for job in jobs)}, seconds=SECONDS
        ) as cluster,
    ):
        groups = _groups(cluster, jobs)
        for number, (job, names) in enumerate(zip(jobs, groups, strict=True)):
            folder = Path(parent, str(number), "saved")
            folder.mkdir(parents=True)
            work = functools.partial(_work, save, job, str(folder), slow)
            cluster.start(work, only=names, configs=_configs(cluster, names))
        run = cluster.join()
        return [
            SavedRun(
                label,
                job,
                _own_run(run, names),
                files_in(Path(parent, str(number), "saved")),
            )
            for number, (job, names) in enumerate(zip(jobs, groups, strict=True))
        ]


def _own_run(run: ClusterRun, names: Sequence[str]) -> ClusterRun:
    """Return what is known of one job's workers, counted from 0."""
    ends = (replace(run[name], name=f"worker {k}") for k, name in enumerate(names))
    return ClusterRun(tuple(ends), run.seconds)


def _groups(cluster: Cluster, jobs: Sequence[Job]) -> list[tuple[str, ...]]:
    names = iter(cluster.configs)
    return [tuple(next(names) for _ in range(job.workers)) for job in jobs]


def _configs(cluster: Cluster, names: Sequence[str]) -> dict[str, str]:
    hosts = dict(zip(cluster.configs, cluster.hosts["worker"], strict=True))
    own = {"worker": [hosts[name] for name in names]}
    return {
        name: json.dumps({"cluster": own, "task": {"type": "worker", "index": k}})
        for k, name in enumerate(names)
    }


def raise_own_failures(run: SavedRun) -> None:
    """Raise StepFailed if the save itself stopped with an error on some worker."""
    raise_own(run.cluster)


def files_in(folder: Path) -> dict[str, Content]:
    """Return the content of all files in a folder, and in folders in it, by name."""
    found = sorted(each for each in folder.rglob("*") if each.is_file())
    return {str(each.relative_to(folder)): content(each) for each in found}


def content(path: Path) -> Content:
    """Return w and seen of a file: float64, (5,); None if it is not whole."""
    with contextlib.suppress(OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile):
        with np.load(path, allow_pickle=False) as values:
            return np.concatenate([values["w"], values["seen"]]).astype(float)
    return None


def write_in_halves(
    path: str, w: np.ndarray, seen: np.ndarray, between: Callable[[], object]
) -> None:
    """Write a file as it would be written anyhow, with a call when half of it is there."""
    buffer = io.BytesIO()
    np.savez(buffer, w=w, seen=seen)
    content = buffer.getvalue()
    with open(path, "wb") as file:
        file.write(content[: len(content) // 2])
        file.flush()
        between()
        file.write(content[len(content) // 2 :])


def _work(save: Save, job: Job, folder: str, slow: float) -> None:
    """The inside of a worker."""
    strategy = worker_strategy()
    worker = strategy.cluster_resolver.task_id
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
        seen = tf.Variable(
            tf.zeros(CLASSES),
            synchronization=tf.VariableSynchronization.ON_READ,
            aggregation=tf.VariableAggregation.SUM,
        )
    step = step_over_workers(strategy, w)
    step.get_concrete_function()
    calls: list[tuple[int, str]] = []
    paths: list[tuple[int, str]] = []

    def tell(k: int, name: str) -> None:
        calls.append((k, name))
        note(step=k, calls=calls, paths=paths)

    for k in range(len(job.sizes)):
        rows = job.own(k, worker)
        tell(k, "step")
        time.sleep(slow)
        with in_collective():
            step(tf.constant(rows.x), tf.constant(rows.y))
        strategy.run(lambda counted: seen.assign_add(counted), (by_class(rows),))
        if worker == 0:
            tell(k, "log")
        if k not in job.saves:
            continue
        death = job.death if k == job.saves[-1] else None
        moment = death.moment if death and death.worker == worker else None
        gone = Path(f"{folder}.gone")  # beside it: whether the killed one has come to it
        with dying(folder, moment, lambda gone=gone: (gone.touch(), die())) as around:
            unseen, between = around

            def write(path: str, k: int = k, death: Death | None = death) -> None:
                with unseen():
                    paths.append((k, os.path.realpath(path)))
                    tell(k, "save")
                    with in_collective():
                        values = w.numpy(), seen.read_value().numpy()
                    if death and death.worker != worker:
                        _await(gone)
                    write_in_halves(path, *values, between)
                    tell(k, "file")

            with sentences_of(save):
                save(write, folder, worker)
        if moment is not None:
            gone.touch()
    note(left=len(job.sizes) - 1)


def _await(gone: Path) -> None:
    """Let the worker that is killed go first: its changes are counted in the folder."""
    until = time.monotonic() + WAIT
    while not gone.exists() and time.monotonic() < until:
        time.sleep(0.01)
