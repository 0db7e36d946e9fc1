"""Dropout masks as stripes: one device beside several replicas, row by row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from course.lessons.n04_changes_with_replica_count.dropout_masks import MaskRecording
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, SEQUENTIAL, TEXT, new_figure

DROPPED = "#ffffff"
DIFFERS = "\u2260"


def mask_stripes(*pairs: tuple[MaskRecording, MaskRecording], step: int = 0) -> Picture:
    """Draw, for each pair, the masks of one step on one device and on replicas.

    Args:
        pairs: one or two of (recording on one device, recording on replicas), with the
            same rows and units.
        step: from 0.

    Raises:
        ValueError: not one or two pairs, or the rows of a pair differ.
    """
    if len(pairs) not in (1, 2):
        raise ValueError(f"give one or two pairs of recordings, not {len(pairs)}")
    for one, many in pairs:
        if set(one.by_row(step)) != set(many.by_row(step)):
            raise ValueError(f"{one.label} and {many.label} have other rows in a step")
    figure, axes = new_figure(2 * len(pairs))
    words, table = [], []
    for index, (one, many) in enumerate(pairs):
        off = many.differing(one, step)
        places = heights(many, step)
        _stripes(axes[2 * index], one, step, [], places)
        _stripes(axes[2 * index + 1], many, step, off, places, len(pairs) == 1)
        rows = len(many.by_row(step))
        words.append(
            f"{many.label}: on {many.replicas} replicas, {len(off)} of {rows} rows "
            "have another mask than on one device"
        )
        table += _rows(many, off, step)
    header = ("masks", "row", "replica", "kept units", "as on one device")
    return Picture(figure, f"{'; '.join(words)}.", header, table)


def heights(run: MaskRecording, step: int) -> dict[int, float]:
    """Return where each row is drawn: in order, with a gap after each replica."""
    places, at = {}, 0.0
    for ids in run.ids[step]:
        for row in ids:
            places[row], at = at, at + 1
        at += 0.35 if ids else 0
    return places


def _stripes(
    axis: Axes,
    run: MaskRecording,
    step: int,
    off: Sequence[int],
    places: dict[int, float],
    named: bool = False,
) -> None:
    for replica, (ids, masks) in enumerate(
        zip(run.ids[step], run.masks[step], strict=True)
    ):
        colour = COLOURS[replica] if run.replicas > 1 else SEQUENTIAL
        for row, mask in zip(ids, masks, strict=True):
            y = places[row]
            axis.add_collection(row_of_cells(mask, y, colour))
            if row in off:
                axis.text(
                    len(mask) + 0.4, y + 0.45, DIFFERS, fontsize=TEXT, va="center"
                )
        if named and ids:
            middle = (places[ids[0]] + places[ids[-1]]) / 2 + 0.45
            words = f"replica {replica}"
            axis.text(masks.shape[1] + 2, middle, words, fontsize=TEXT, va="center")
    name_rows(axis, places, masks.shape[1] + (6.5 if named else 2))
    on = "one device" if run.replicas == 1 else f"{run.replicas} replicas"
    if off and named:  # two pairs leave no room, and follow a figure that says it
        on += f", {DIFFERS} other mask"
    axis.set_title(f"{run.label}\n{on}", fontsize=TEXT, loc="left")


def name_rows(axis: Axes, places: dict[int, float], right: float) -> None:
    """Name the rows at their places, in an axis that goes to `right`."""
    axis.set_xlim(-0.2, right)
    axis.set_ylim(max(places.values()) + 1.3, -0.2)
    axis.set_yticks(
        [at + 0.45 for at in places.values()],
        [f"row {row}" for row in places],
        fontsize=11,
    )
    axis.set_xticks([])
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)


def row_of_cells(mask: np.ndarray, y: float, colour: str) -> PolyCollection:
    """Return one cell for each unit: filled if kept.

    Args:
        mask: shape (units,).
        y: where the row is drawn.
        colour: of the kept units.
    """
    cells = [
        [(x, y), (x + 0.9, y), (x + 0.9, y + 0.86), (x, y + 0.86)]
        for x in range(len(mask))
    ]
    return PolyCollection(
        cells,
        facecolors=[colour if kept else DROPPED for kept in mask],
        edgecolors="#666666",
        linewidths=0.6,
    )


def _rows(run: MaskRecording, off: Sequence[int], step: int) -> list[tuple[str, ...]]:
    return [
        (
            run.label,
            str(row),
            str(replica),
            " ".join(map(str, np.flatnonzero(mask))),
            "no" if row in off else "yes",
        )
        for replica, (ids, masks) in enumerate(
            zip(run.ids[step], run.masks[step], strict=True)
        )
        for row, mask in zip(ids, masks, strict=True)
    ]
