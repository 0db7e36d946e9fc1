"""The instrument of notebook 01: which replica is given which row, in which step?"""

from __future__ import annotations

from dataclasses import dataclass

from course.lessons.n01_seen_twice_or_never.epochs import Epoch, record_epoch
from course.lessons.n01_seen_twice_or_never.id_grid import id_grid, words_of
from course.lessons.n01_seen_twice_or_never.pieces import (
    batch_rows,
    batch_share,
    distribute,
    from_function,
    pull_inside,
    shard_rows,
)
from course.pictures.picture import Picture
from course.runs.devices import virtual_devices
from course.runs.replica_exercises import DEVICES
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice, Slider

PIPELINES = {
    "1: shard_rows, batch_share, from_function": (
        shard_rows,
        batch_share,
        from_function,
    ),
    "2: batch_rows": (batch_rows,),
    "3: batch_rows, pull_inside": (batch_rows, pull_inside),
    "4: batch_rows, from_function": (batch_rows, from_function),
    "5: batch_share, distribute": (batch_share, distribute),
}
KNOBS = (
    Slider("rows", "rows", 6, 22, 10),
    Choice("batch", "global batch", {"4": 4, "6": 6, "8": 8}, 4),
    Choice("replicas", "replicas", {"2": 2, "3": 3, "4": 4}, 2),
    # the first one is known from the prediction
    Choice("pipeline", "pipeline", {p: p for p in PIPELINES}, next(iter(PIPELINES))),
)


@dataclass(frozen=True, eq=False)
class Given:
    """One epoch of a pipeline, and of plain batches on one device."""

    one: Epoch
    several: Epoch


def feed(rows: int, batch: int, replicas: int, pipeline: str) -> Given:
    """Run an epoch of a pipeline on some replicas, and one on one device.

    Raises:
        ValueError: the global batch does not divide by the replicas.
    """
    if batch % replicas:
        raise ValueError(
            f"A global batch of {batch} has no equal shares for {replicas} replicas."
        )
    devices = virtual_devices(DEVICES)
    return Given(
        record_epoch([batch_rows], rows, batch, devices[:1], "one device"),
        record_epoch(PIPELINES[pipeline], rows, batch, devices[:replicas], pipeline),
    )


def draw(now: Given, before: Given | None = None) -> Picture:
    """Draw one device above the replicas, as often as each row was seen below."""
    return id_grid(now.one, now.several)


def told(now: Given) -> str:
    """Return one line: "10 rows, batch 4, 2 replicas: 2: batch_rows: all ... twice"."""
    run = now.several
    return (
        f"{run.rows} rows, batch {run.batch}, {run.replicas} replicas. "
        f"{words_of(now.one, run)}."
    )


def who_gets_which_row() -> None:
    """Show the instrument: rows, batch, replicas and five pipelines."""
    instrument(KNOBS, feed, draw, told)
