"""This notebook's instrument: a control panel of three real workers."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence

from course.lessons.n17_training_hangs.uneven_epoch import UnevenRun, parts_of, work
from course.pictures.picture import Picture
from course.pictures.worker_lanes import worker_lanes
from course.runs.cluster import ClusterRun
from course.runs.cluster.live import Act, Job
from course.runs.workloads import regression
from course.widgets.knobs import Choice, Slider
from course.widgets.panel import panel

BATCH, SLOW = 4, 0.4  # rows of a worker's batch; seconds that a step sleeps
MOST = 80  # rows of a worker


def control_panel(epochs: Mapping[str, Callable], first: UnevenRun) -> None:
    """Show the panel.

    epochs: name -> a function like `broken_epoch`; the first is shown first. Once the
        exercise is solved, the learner's own one can be chosen as well.
    first: a run of three workers that is over; shown until one is started.
    """
    rows = [
        Slider(f"rows_{k}", f"rows of worker {k}", 4, MOST, 60, step=4)
        for k in range(3)
    ]
    each = next(iter(epochs.values()))
    knobs = [*rows, Choice("epoch", "function", dict(epochs), each, "17/my_epoch")]
    names = [end.name for end in first.cluster.ends]
    panel(knobs, job, picture, names, worker_lanes(first.cluster))


def picture(run: ClusterRun, acts: Sequence[Act]) -> Picture:
    """Draw a run as far as it has come."""
    return worker_lanes(run)


def job(epoch: Callable, **rows: int) -> Job:
    """Return the job in which each worker makes one epoch of its own rows."""
    sizes = [rows[f"rows_{k}"] for k in range(3)]
    parts = parts_of(regression(sum(sizes)), sizes, BATCH)
    return Job({"worker": 3}, functools.partial(work, epoch, parts, SLOW))
