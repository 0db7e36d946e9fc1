"""This notebook's instrument: where the replicas' copies go, and on which rows."""

from __future__ import annotations

from collections.abc import Callable

from course.lessons.n02_replicas_drift_apart.weights_plane import weights_plane
from course.pictures.picture import Picture
from course.runs.devices import virtual_devices
from course.runs.recording import Recording
from course.runs.replica_exercises import DEVICES
from course.runs.replicas import train_on_replicas
from course.runs.sequential import train_sequentially
from course.runs.workloads import regression
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice, Slider

ROWS = 24

Runs = tuple[Recording, Recording]  # on one device, and on replicas


def paths_of_copies(step: Callable, prediction: str | None = None) -> None:
    """Show the paths of all copies under `step`, for replicas, batch and steps to turn.

    step: `step(w, x, y)` as `train_on_replicas` takes it; once the exercise is solved,
        the learner's own one can be chosen as well.
    """
    name = step.__name__
    instrument(
        [
            Choice("replicas", "replicas", {str(n): n for n in (2, 3, 4)}, 2),
            Choice("batch", "rows in a step", {str(n): n for n in (8, 12, 24)}, 8),
            Slider("steps", "steps", 1, 20, 10),
            Choice("step", "function", {name: step}, step, mine="02/my_step"),
        ],
        run,
        picture,
        told,
        prediction,
    )


def run(replicas: int, batch: int, steps: int, step: Callable) -> Runs:
    """Train on one device and on `replicas`; return both recordings."""
    rows = regression(ROWS)
    devices = virtual_devices(DEVICES)[:replicas]
    truth = train_sequentially(rows, batch, steps)
    copies = train_on_replicas(
        step,
        rows,
        batch,
        steps,
        devices,
        label=step.__name__,
        by_tf_data=False,  # the same shards; on one core, tf.data takes five seconds
    )
    return truth, copies


def picture(now: Runs, before: Runs | None) -> Picture:
    """Draw the paths of all copies; the run before stays, thin and grey."""
    return weights_plane(*now, faint=before and before[1])


def told(now: Runs) -> str:
    """Say in one line how far the copies are apart, and from one device."""
    truth, copies = now
    rows = max(map(sum, copies.examples))
    apart = copies.copies[-1].max(axis=0) - copies.copies[-1].min(axis=0)
    off = copies.gaps(truth)[-1].max()
    return (
        f"{copies.label}, {copies.replicas} replicas, {rows} rows in a step, "
        f"{copies.steps} steps: copies {apart.max():.2g} apart, "
        f"{off:.2g} from one device"
    )
