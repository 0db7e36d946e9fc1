"""What each look at a job shows: a picture, and some columns of its table."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from course.lessons.n21_mystery_jobs.job_record import JobRecord
from course.lessons.n21_mystery_jobs.job_signs import (
    START,
    cells,
    step_name,
    wanted,
)
from course.lessons.n21_mystery_jobs.looks import LOOKS
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, HATCHES, SEQUENTIAL, TEXT, name_axes

SMALL_TEXT = 11.0
PALE = 0.45
ZERO = 1e-8  # where a difference of 0 is drawn
NOISE = 1e-5  # what the order of additions may do
SIZES = {look: (6.5, 3.0) for look in LOOKS} | {"rows": (8, 3.5), "weights": (7.5, 3.0)}
NAMES = {
    "working": "devices or workers that worked",
    "pieces": "pieces of a batch that go through the stages",
    "python": "times that Python ran the code",
    "reads": "times that the host waited",
    "readers": "most rows decoded at once in the run",
    "kept": "batches in memory",
    "messages": "times that something was sent",
}


def view(record: JobRecord, look: str) -> Picture:
    """Draw what one look shows of a job, with what a healthy job would do.

    look: one of `looks.RUNS`. The table holds its columns, and no others.
    """
    figure = Figure(figsize=SIZES[look], layout="constrained", facecolor="white")
    columns = LOOKS[look].columns
    count = 1 if look == "rows" else len(columns)
    axes = figure.subplots(1, count, squeeze=False)[0]
    for axis in axes:
        axis.tick_params(labelsize=SMALL_TEXT)
        axis.spines[["top", "right"]].set_visible(False)
    if look == "rows":
        _draw_rows(axes[0], record)
    elif look == "weights":
        top = max([1.0, *_finite(record.apart), *_finite(record.off)])
        _draw_distance(axes[0], record.apart, "apart: between copies", top)
        _draw_distance(axes[1], record.off, "off: from one device", top)
    else:
        for axis, column in zip(axes, columns, strict=True):
            _draw_numbers(axis, record, column)
    return Picture(figure, _sentence(record, look), *_table(record, columns))


def _draw_rows(axis: Axes, record: JobRecord) -> None:
    batches = record.task.batches
    steps = max(len(record.steps), len(batches))
    for k in range(steps):
        wanted = batches[k].ids if k < len(batches) else ()
        for row in wanted:
            axis.add_patch(
                Rectangle((row - 0.5, k - 0.5), 1, 1, fill=False, ec=SEQUENTIAL, lw=1.1)
            )
        parts = record.steps[k].rows if k < len(record.steps) else ()
        _fill(axis, k, parts)
    axis.set(xlim=(-1, len(record.task.rows)), ylim=_steps_shown(record))
    axis.set_yticks(range(steps))
    kind = record.task.kind.removesuffix("s")
    of = "filled: used" if kind == "stage" else f"colour: {kind}"
    name_axes(axis, f"row ({of}; frame: one device)", "step")


def _steps_shown(record: JobRecord) -> tuple[float, float]:
    """Return the limits of an axis of steps, which go down from 0."""
    steps = max(len(record.steps), len(record.task.batches))
    return steps - 0.3, -0.7


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


def _draw_numbers(axis: Axes, record: JobRecord, column: str) -> None:
    """Draw a bar for each step, and a line where that of a healthy job would end."""
    table = cells(record)
    for step in range(len(record.steps)):
        value, fine = table[step][column], wanted(record, step)[column]
        axis.barh(step, value, height=0.6, color=SEQUENTIAL, alpha=PALE)
        axis.plot([fine, fine], [step - 0.4, step + 0.4], color="black", lw=1.5)
        axis.text(value, step, f" {value:.0f}", va="center", fontsize=TEXT)
    most = max(max(row.get(column, 0) for row in table.values()), 3)
    axis.set(xlim=(0, most * 1.2), ylim=(len(record.steps) - 0.4, -0.6))
    axis.set_yticks(range(len(record.steps)))
    axis.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    name_axes(axis, NAMES[column], "step")


def _draw_distance(axis: Axes, values: np.ndarray, name: str, top: float) -> None:
    shown = np.maximum(np.nan_to_num(values, nan=top * 10, posinf=top * 10), ZERO)
    steps = np.arange(len(values)) + START
    axis.axhline(NOISE, color="0.55", lw=0.8, ls=(0, (4, 3)))
    axis.plot(steps, shown, color=SEQUENTIAL, marker="o", ms=4, lw=1.2)
    for step in np.flatnonzero(~np.isfinite(values))[:1]:
        axis.text(step, shown[step], "NaN ", ha="right", va="top", fontsize=TEXT)
    axis.set_yscale("log")
    axis.set_ylim(ZERO / 3, top * 30)
    axis.set_yticks([ZERO, NOISE, 1e-2, 1], ["0", "1e-5", "0.01", "1"])
    axis.minorticks_off()
    axis.set_xticks(steps, ["start", *map(str, steps[1:])])
    axis.set_title(name, fontsize=TEXT, loc="left")
    axis.set_xlabel("after step", fontsize=TEXT)


def _finite(values: np.ndarray) -> list[float]:
    return [float(value) for value in values if np.isfinite(value)]


def _sentence(record: JobRecord, look: str) -> str:
    end = "" if record.ended else " Then it hung and was stopped."
    told = {
        "rows": " Filled: the job uses the row. Frame: one device does.",
        "weights": " Dashed: the most that the order of additions can change.",
    }.get(look, f" Black lines: a healthy job{MOST.get(look, '')}.")
    return (
        f"{len(record.steps)} steps of {record.task}; one device makes "
        f"{len(record.task.batches)}.{end}{told}"
    )


MOST = {
    "host": ", at most",
    "memory": ", at most",
    "messages": ", at most",
    "input": ", at least",
    "stages": ", at least",
}


def _table(
    record: JobRecord, columns: tuple[str, ...]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    rows = []
    for step, row in cells(record).items():
        rows.append((step_name(step), *(_cell(row, name) for name in columns)))
    return ("step", *columns), rows


def _cell(row: dict[str, float], name: str) -> str:
    if name not in row:
        return ""
    return f"{row[name]:.3g}" if name in ("apart", "off") else f"{row[name]:.0f}"
