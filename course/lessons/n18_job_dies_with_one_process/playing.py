"""This notebook's instrument: a control panel of a job with a parameter server."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np
import tensorflow as tf

from course.lessons.n18_job_dies_with_one_process.killed_training import Resumable
from course.lessons.n18_job_dies_with_one_process.lost_processes import (
    BATCHES,
    EVERY,
    Life,
    LostRun,
    begun_steps,
    chief,
)
from course.lessons.n18_job_dies_with_one_process.momentum import train_with_momentum
from course.lessons.n18_job_dies_with_one_process.step_counter import step_counter
from course.pictures.picture import Picture
from course.runs.cluster import ClusterRun, serve
from course.runs.cluster.live import Act, Job
from course.widgets.knobs import Choice
from course.widgets.panel import panel

TASKS = {"chief": 1, "worker": 2, "ps": 1}
CHIEF = "chief 0"
SLOW = 0.2  # seconds that a step sleeps
PAUSE = 1.0  # seconds between two lives in the figure
TAKEN = ("kill", "cut", "halt")


def control_panel(trains: Mapping[str, Callable], first: LostRun) -> None:
    """Show the panel.

    trains: name -> a function like `broken_resumable`; the first is shown first. Once
        the exercise is solved, the learner's own one can be chosen as well.
    first: a job; shown until one is started.
    """
    folders = {"as it was left": False, "a new one": True}
    each = next(iter(trains.values()))
    knobs = [
        Choice("every", "a checkpoint every", {str(n): n for n in (5, 10, 20)}, EVERY),
        Choice("anew", "folder", folders, False),
        Choice("train", "function", dict(trains), each, "18/my_resumable"),
    ]
    lives = Lives()
    names = Job(TASKS, _member).names
    panel(knobs, lives.job, lives.picture, names, step_counter(first))


class Lives:
    """One job after the other in a folder, and what each of them did."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory | None = None
        self._before: list[Life] = []
        self._now: Life | None = None
        self._label = ""

    @cached_property
    def _truth(self) -> np.ndarray:
        return train_with_momentum(BATCHES)

    def job(self, train: Resumable, every: int, anew: bool) -> Job:
        """Return the next job, in a new folder or in that of the last one."""
        if anew or self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="course-job-")
            self._before = []
        elif self._now is not None and self._now.begun:
            self._before.append(self._now)
        self._now, self._label = None, getattr(train, "__name__", "yours")
        return Job(TASKS, _member, (train, self._folder.name, every), (CHIEF,))

    def picture(self, run: ClusterRun, acts: Sequence[Act]) -> Picture:
        """Draw all jobs in this folder, the last one as far as it has come."""
        begun = self._before[-1].until + PAUSE if self._before else 0.0
        lost = [(begun + act.at, act.name) for act in acts if act.what in TAKEN]
        end = run[CHIEF]
        alive = tuple(e.name for e in run.ends if e.outcome in ("running", "halted"))
        steps, until = begun_steps(end, begun), begun + run.seconds
        self._now = Life(steps, lost[0] if lost else None, end, alive, until)
        lives = (*self._before, self._now)
        return step_counter(LostRun(self._label, lives, self._truth))


def _member(train: Resumable, folder: str, every: int) -> np.ndarray:
    found = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    if found.task_type != "chief":
        serve()
    return chief(train, folder, None, every, SLOW)
