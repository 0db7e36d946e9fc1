"""Masks of several steps, on one device beside replicas, with equal rows marked."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from course.lessons.n04_changes_with_replica_count.dropout_masks import MaskRecording
from course.lessons.n04_changes_with_replica_count.mask_stripes import (
    DIFFERS,
    heights,
    name_rows,
    row_of_cells,
)
from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, SEQUENTIAL, TEXT, new_figure

SAME = "="


def mask_film(one: MaskRecording, many: MaskRecording) -> Picture:
    """Draw each step of a run on one device, and on replicas; a moment is a step."""
    units = many.masks[0][0].shape[1]
    widths = (units + 3, units + 10)  # a cell is as wide in both panels
    figure, axes = new_figure(2, widths)
    steps = len(many.ids)
    places = heights(many, 0)
    for axis, run, width in zip(axes, (one, many), widths, strict=True):
        for step in range(steps):
            _step(axis, run, one, step, places)
        name_rows(axis, places, width)
        title = f"{many.label}, one device\n"
        if run is not one:
            _name_replicas(axis, run, places, units + 5)
            title = f"{many.label}, {_replicas(many)}\n"
            title += f"{DIFFERS} not as on one device, {SAME}n as row n here"
        axis.set_title(title, fontsize=TEXT, loc="left")
    said = [_said(one, many, step) for step in range(steps)]
    table = [
        (str(step), str(row), " ".join(_marks(one, many, step, row)) or "-")
        for step in range(steps)
        for row in many.by_row(step)
    ]
    return Picture(
        figure,
        said[-1],
        ("step", "row", "marks"),
        table,
        moments=[f"step {step}" for step in range(steps)],
        said=said,
    )


def _step(
    axis: Axes,
    run: MaskRecording,
    one: MaskRecording,
    step: int,
    places: dict[int, float],
) -> None:
    """Draw one step's rows, and the marks beside them, shown at that moment only."""
    when = {"since": step, "until": step + 1 if step + 1 < len(run.ids) else None}
    for replica, (ids, masks) in enumerate(
        zip(run.ids[step], run.masks[step], strict=True)
    ):
        colour = COLOURS[replica] if run is not one else SEQUENTIAL
        for row, mask in zip(ids, masks, strict=True):
            marks = _marks(one, run, step, row)
            cells = row_of_cells(mask, places[row], colour)
            where = "one device" if run is one else f"replica {replica}"
            kept = ", ".join(map(str, np.flatnonzero(mask)))
            says = f"{where}, step {step}, row {row}: keeps {kept}"
            says += "".join(f"; {word}" for word in _words(one, run, step, row))
            axis.add_collection(part(cells, says, **when))
            text = axis.text(
                len(mask) + 0.4,
                places[row] + 0.45,
                " ".join(marks),
                fontsize=TEXT,
                va="center",
            )
            part(text, **when)


def _name_replicas(
    axis: Axes, run: MaskRecording, places: dict[int, float], x: float
) -> None:
    for replica, ids in enumerate(run.ids[0]):
        middle = (places[ids[0]] + places[ids[-1]]) / 2 + 0.45
        axis.text(x, middle, f"replica {replica}", fontsize=TEXT, va="center")


def _marks(one: MaskRecording, run: MaskRecording, step: int, row: int) -> list[str]:
    """Return the signs that stand beside a row."""
    marks = [DIFFERS] if row in run.differing(one, step) else []
    return marks + [f"{SAME}{other}" for other in _equal(run, step, row)[:1]]


def _words(one: MaskRecording, run: MaskRecording, step: int, row: int) -> list[str]:
    """Return the same, and which steps are alike, in words."""
    differs = "not " if row in run.differing(one, step) else ""
    words = [] if run is one else [f"{differs}as on one device"]
    equal = _equal(run, step, row)
    if equal:
        words.append(f"as row {', '.join(map(str, equal))}")
    earlier = _earlier(run, step, row)
    if earlier:
        words.append(f"as in step {', '.join(map(str, earlier))}")
    return words


def _equal(run: MaskRecording, step: int, row: int) -> list[int]:
    """Return the other rows that have the mask of `row` in a step."""
    masks = run.by_row(step)
    return [
        other
        for other, mask in masks.items()
        if other != row and np.array_equal(mask, masks[row])
    ]


def _earlier(run: MaskRecording, step: int, row: int) -> list[int]:
    """Return the earlier steps in which `row` has the mask that it has in `step`."""
    mask = run.by_row(step)[row]
    return [k for k in range(step) if np.array_equal(run.by_row(k)[row], mask)]


def _replicas(run: MaskRecording) -> str:
    return f"{run.replicas} replica{'s' if run.replicas > 1 else ''}"


def counted(one: MaskRecording, many: MaskRecording, step: int) -> tuple[int, ...]:
    """Return how many rows of a step have another mask than on one device; the mask
    of another row; their own of an earlier step.
    """
    rows = many.by_row(step)
    again = sum(bool(_equal(many, step, row)) for row in rows)
    frozen = sum(bool(_earlier(many, step, row)) for row in rows)
    return len(many.differing(one, step)), again, frozen


def _said(one: MaskRecording, many: MaskRecording, step: int) -> str:
    other, again, frozen = counted(one, many, step)
    rows = len(many.by_row(step))
    return (
        f"{many.label}, {_replicas(many)}, step {step}: {rows - other} of {rows} rows "
        f"have the mask that they have on one device; {again} share one with another "
        f"row; {frozen} had the same in an earlier step."
    )
