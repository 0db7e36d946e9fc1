"""One run of `fit` beside one device, epoch by epoch: logged loss and distance."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from course.checks.exercises import TOLERANCE
from course.lessons.n00_start_here.apart import colour, size
from course.lessons.n00_start_here.fitting import Compared
from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.style import (
    HATCHES,
    MARKERS,
    SEQUENTIAL,
    TEXT,
    name_axes,
    new_figure,
)

FAINT = 0.3  # opacity of the run before


def epoch_by_epoch(now: Compared, before: Compared | None = None) -> Picture:
    """Draw the losses that were logged, and the distance of the weights.

    Args:
        now: the runs to show.
        before: runs shown before these; their distance is drawn faintly.
    """
    figure, (left, right) = new_figure(2)
    epochs = np.arange(len(now.gaps))
    name = f"{now.devices} devices"
    _losses(left, now, name)
    highest = max(*now.gaps, *(before.gaps if before else ()), 0.05)
    if before is not None:
        _faint(right, before)
    bars = right.bar(
        epochs,
        now.gaps,
        width=0.5,
        color=colour(now.devices),
        edgecolor="white",
        hatch=HATCHES[now.devices - 1],
    )
    for epoch, bar in enumerate(bars):
        part(bar, f"after epoch {epoch}: {size(now.gaps[epoch])} from 1 device")
    right.bar_label(bars, [size(gap) for gap in now.gaps], fontsize=TEXT, padding=3)
    right.set_ylim(0, (1.45 if before else 1.25) * highest)
    name_axes(
        right, "after epoch", "distance", "Weights: largest distance from 1 device"
    )
    for axis in (left, right):
        axis.set_xticks(epochs)
        axis.set_xlim(-0.5, len(epochs) - 0.5)
    return Picture(figure, f"{told(now)} {_logged(now)}", *_table(now))


def told(now: Compared) -> str:
    """Return the settings, and by how much the weights differ from one device's."""
    differ = f"differ from one device's by {size(now.gaps[-1])}"
    weights = "match one device's" if now.agrees else differ
    run = f"{now.rows} rows, batch {now.batch}, {now.devices} devices"
    return f"{run}: the weights {weights}."


def _faint(axis: Axes, before: Compared) -> None:
    marker, hue = MARKERS[before.devices - 1], colour(before.devices)
    style = {"color": hue, "alpha": FAINT, "ms": 10, "label": "the run before"}
    (line,) = axis.plot(before.gaps, f"{marker}--", **style)
    part(line, f"the run before: {told(before)}")
    axis.legend(fontsize=TEXT, frameon=False, loc="upper left")


def _losses(axis: Axes, now: Compared, name: str) -> None:
    several = {"color": colour(now.devices), "marker": MARKERS[now.devices - 1]}
    one = {"color": SEQUENTIAL, "marker": "o", "ls": "--"}
    (more,) = axis.plot(now.several.loss, ms=11, lw=2, label=name, **several)
    (alone,) = axis.plot(now.one.loss, ms=6, lw=1.2, label="1 device", **one)
    for line, run, loss in (
        (more, name, now.several.loss),
        (alone, "1 device", now.one.loss),
    ):
        part(line, f"{run}: {', '.join(f'{each:.3f}' for each in loss)}")
    axis.legend(fontsize=TEXT, frameon=False)
    axis.margins(y=0.2)
    name_axes(axis, "epoch", "mean squared error", "Loss that fit logged")


def _logged(now: Compared) -> str:
    differ = np.flatnonzero(np.abs(now.several.loss - now.one.loss) > TOLERANCE)
    if not len(differ):
        return "All logged losses match one device's."
    return f"The logged loss differs from epoch {differ[0]} on."


def _table(now: Compared) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    header = ("epoch", "loss, 1 device", f"loss, {now.devices} devices", "distance")
    rows = [
        (str(epoch), f"{one:.3f}", f"{several:.3f}", size(gap))
        for epoch, (one, several, gap) in enumerate(
            zip(now.one.loss, now.several.loss, now.gaps, strict=True)
        )
    ]
    return header, rows
