"""Kill a training again and again, start it again each time, and see what comes of it.

Every life is a real process; what one of them began is known outside of it.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import tensorflow as tf

from course.checks.failures import StepFailed, sentences_of
from course.lessons.n18_job_dies_with_one_process.momentum import (
    momentum_step,
    train_with_momentum,
)
from course.runs.cluster import Cluster, End, note
from course.runs.sudden_end import Kill, SuddenEnd
from course.runs.workloads import Rows

# of (folder, batches, w, momentum, step, every): trains to the end, from where it was
Resumable = Callable[..., object]
SECONDS = 8.0  # of processor time; a right answer needs about 2
QUIET = 3.0
UNKNOWN = -1  # number of a batch that is not in the data


@dataclass(frozen=True, eq=False)
class Plan:
    """What is to be trained, and when it is killed.

    batches: of each step.
    every: steps from one checkpoint to the next.
    kills: of each life but the last.
    """

    batches: tuple[Rows, ...]
    every: int
    kills: tuple[Kill, ...]

    def __str__(self) -> str:
        return (
            f"{len(self.batches)} batches, a checkpoint every {self.every} steps, and "
            f"{len(self.kills)} kill{'s' * (len(self.kills) != 1)} "
            f"({'; '.join(map(str, self.kills))})"
        )

    def truth(self) -> np.ndarray:
        """Return weights and momentum without any failure: float64, (2, 2)."""
        return train_with_momentum(self.batches)

    def number_of(self, x: object) -> int:
        """Return which batch these features are of; UNKNOWN for others."""
        given = np.asarray(x)
        for number, batch in enumerate(self.batches):
            if given.shape == batch.x.shape and (given == batch.x).all():
                return number
        return UNKNOWN


@dataclass(frozen=True, eq=False)
class Lives:
    """What the processes did, one after the other.

    begun: for each life the numbers of the batches with which it began a step.
    state: float64, (2, 2): weights and momentum at the end.
    """

    begun: tuple[tuple[int, ...], ...]
    state: np.ndarray

    @property
    def falls(self) -> tuple[tuple[int, int], ...]:
        """For each kill but those that no step followed: (last step, first again)."""
        lives = [own for own in self.begun if own]
        return tuple((old[-1], new[0]) for old, new in pairwise(lives))


def train_killed(function: Resumable, plan: Plan) -> Lives:
    """Run `function` in a process; where it is killed, start it again in its folder.

    Raises:
        StepFailed: the function stopped with an error, or had no end; says after
            which kill.
    """
    parent = Path(tempfile.mkdtemp(prefix="course-lives-"))
    folder = parent / "folder"
    folder.mkdir()
    begun: list[tuple[int, ...]] = []
    try:
        with Cluster({"worker": 1}, seconds=SECONDS, quiet=QUIET) as cluster:
            for life in range(len(plan.kills) + 1):
                cluster.start(_live, function, plan, life, str(folder))
                (end,) = cluster.join().ends
                begun.append(tuple(end.facts.get("begun", ())))
                if end.outcome != "killed" or life == len(plan.kills):
                    break
                _leave_alone(folder)
    finally:
        shutil.rmtree(parent, ignore_errors=True)
    if end.outcome != "returned":
        raise StepFailed(_told(end, plan.kills[:life]))
    return Lives(tuple(begun), end.value)


def _leave_alone(folder: Path) -> None:
    """Remove what lies beside the folder: a new machine would not have it either."""
    for each in folder.parent.iterdir():
        if each.is_dir() and each != folder:
            shutil.rmtree(each, ignore_errors=True)
        elif each != folder:
            each.unlink(missing_ok=True)


def _told(end: End, kills: Sequence[Kill]) -> tuple[str, ...]:
    before = ()
    if kills:
        last = f"last {kills[-1]}"
        before = (f"It was killed ({last}) and started again in the same folder.",)
    if end.outcome == "raised":
        return (*before, *end.sentences)
    if end.outcome == "waited":
        where = f" at {end.line}" if end.line else ""
        stopped = f"It still ran{where} after some seconds, and was stopped. "
        return (*before, stopped + "Is there a loop or a wait that never ends?")
    return (*before, "It ended its own process. Let the function return instead.")


def _live(function: Resumable, plan: Plan, life: int, folder: str) -> np.ndarray:
    """One life: fresh variables, the same folder."""
    w = tf.Variable(tf.zeros(2), name="w")
    momentum = tf.Variable(tf.zeros(2), name="momentum")
    kill = plan.kills[life] if life < len(plan.kills) else None
    end, update = SuddenEnd(folder, kill), momentum_step(w, momentum)
    most, begun = 3 * len(plan.batches), []

    def step(x: tf.Tensor, y: tf.Tensor) -> None:
        begun.append(plan.number_of(x))
        note(begun=begun)
        if len(begun) > most:
            raise ValueError(
                f"step was called {len(begun)} times for {len(plan.batches)} batches; "
                "is there a loop that never ends?"
            )
        end.step(lambda: update(x, y))

    batches = [(tf.constant(b.x), tf.constant(b.y)) for b in plan.batches]
    with sentences_of(function):
        function(folder, batches, w, momentum, step, plan.every)
    return np.array([w.numpy(), momentum.numpy()], np.float64)
