"""Four views of a job: the rows it used, who worked, the copies, the weights."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from course.lessons.n19_mystery_jobs.job_record import JobRecord
from course.lessons.n19_mystery_jobs.job_signs import COLUMNS, cells
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, HATCHES, SEQUENTIAL, TEXT, name_axes

SMALL_TEXT = 11.0
PALE = 0.45
ZERO = 1e-8  # where a difference of 0 is drawn
NOISE = 1e-5  # what the order of additions may do
COUNTS = ("working", "python", "reads")


def job_views(record: JobRecord) -> Picture:
    """Draw what a job did, in four views, with what one device would use as outlines.

    Left, rows by steps: a frame is a row of one device's batch; it is filled in the
    colour of the replica or worker that used the row. Then who worked, how often
    Python ran, how often the host waited; the distance between copies; the distance
    from one device.
    """
    figure = Figure(figsize=(10, 3.5), layout="constrained", facecolor="white")
    axes = figure.subplots(1, 4, width_ratios=(3.2, 1.9, 1.2, 1.2))
    for axis in axes:
        axis.tick_params(labelsize=SMALL_TEXT)
        axis.spines[["top", "right"]].set_visible(False)
    _draw_rows(axes[0], record)
    _draw_counts(axes[1], record)
    top = max([1.0, *_finite(record.apart), *_finite(record.off)])
    _draw_distance(axes[2], record.apart, "apart: copies", top)
    _draw_distance(axes[3], record.off, "off: one device", top)
    return Picture(figure, _sentence(record), *_table(record))


def _draw_rows(axis: Axes, record: JobRecord) -> None:
    batches = record.task.batches
    steps = max(len(record.steps), len(batches))
    for k in range(steps):
        wanted = batches[k].ids if k < len(batches) else ()
        for row in wanted:
            axis.add_patch(
                Rectangle((row - 0.5, k + 0.5), 1, 1, fill=False, ec=SEQUENTIAL, lw=1.1)
            )
        parts = record.steps[k].rows if k < len(record.steps) else ()
        _fill(axis, k + 1, parts)
    axis.set(xlim=(-1, len(record.task.rows)), ylim=_steps_shown(record))
    axis.set_yticks(range(1, steps + 1))
    kind = record.task.kind.removesuffix("s")
    name_axes(axis, f"row (colour: {kind}; frame: one device)", "step")


def _steps_shown(record: JobRecord) -> tuple[float, float]:
    """Return the limits of an axis of steps, which go down from 1."""
    steps = max(len(record.steps), len(record.task.batches))
    return steps + (0.7 if record.ended else 1.0), 0.3


def _fill(axis: Axes, step: int, parts: tuple[tuple[int, ...], ...]) -> None:
    """Fill the cells of a step; a row used several times is divided among its users."""
    users: dict[int, list[int]] = {}
    for part, rows in enumerate(parts):
        for row in rows:
            users.setdefault(row, []).append(part)
    for row, own in users.items():
        height = 0.8 / len(own)
        for place, part in enumerate(own):
            axis.add_patch(
                Rectangle(
                    (row - 0.4, step - 0.4 + place * height),
                    0.8,
                    height,
                    fc=COLOURS[part],
                    alpha=PALE,
                    hatch=HATCHES[part],
                    ec="white",
                    lw=0,
                )
            )


def _draw_counts(axis: Axes, record: JobRecord) -> None:
    table = cells(record)
    for x, name in enumerate(COUNTS):
        for step, row in enumerate(table[1:], start=1):
            axis.text(
                x, step, f"{row[name]:.0f}", ha="center", va="center", fontsize=TEXT
            )
    if not record.ended:
        y = len(table) - 0.45
        axis.text(1, y, "and waits", ha="center", va="center", fontsize=TEXT)
    axis.set(xlim=(-0.6, 2.6), ylim=_steps_shown(record))
    axis.set_xticks(range(len(COUNTS)), COUNTS)
    axis.set_yticks([])
    axis.tick_params(length=0)
    axis.set_xlabel("numbers, by step", fontsize=TEXT)


def _draw_distance(axis: Axes, values: np.ndarray, name: str, top: float) -> None:
    shown = np.maximum(np.nan_to_num(values, nan=top * 10, posinf=top * 10), ZERO)
    steps = np.arange(len(values))
    axis.axhline(NOISE, color="0.55", lw=0.8, ls=(0, (4, 3)))
    axis.plot(steps, shown, color=SEQUENTIAL, marker="o", ms=4, lw=1.2)
    for step in np.flatnonzero(~np.isfinite(values))[:1]:
        axis.text(step, shown[step], "NaN ", ha="right", va="top", fontsize=TEXT)
    axis.set_yscale("log")
    axis.set_ylim(ZERO / 3, top * 30)
    axis.set_yticks([ZERO, NOISE, 1e-2, 1], ["0", "1e-5", "0.01", "1"])
    axis.minorticks_off()
    axis.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    axis.set_title(name, fontsize=TEXT, loc="left")
    axis.set_xlabel("after step", fontsize=TEXT)


def _finite(values: np.ndarray) -> list[float]:
    return [float(value) for value in values if np.isfinite(value)]


def _sentence(record: JobRecord) -> str:
    end = "" if record.ended else " Then it waited, and was stopped."
    return (
        f"{len(record.steps)} steps of {record.task}; one device makes "
        f"{len(record.task.batches)}.{end}"
    )


def _table(record: JobRecord) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    rows = []
    for step, row in enumerate(cells(record)):
        rows.append((str(step), *(_cell(row, name) for name in COLUMNS)))
    return ("step", *COLUMNS), rows


def _cell(row: dict[str, float], name: str) -> str:
    if name not in row:
        return ""
    return f"{row[name]:.3g}" if name in ("apart", "off") else f"{row[name]:.0f}"
