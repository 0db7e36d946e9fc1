"""Dropout masks as stripes: one device beside several replicas, row by row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

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
        heights = _heights(many, step)
        _stripes(axes[2 * index], one, step, [], heights)
        _stripes(axes[2 * index + 1], many, step, off, heights, len(pairs) == 1)
        rows = len(many.by_row(step))
        words.append(
            f"{many.label}: on {many.replicas} replicas, {len(off)} of {rows} rows "
            "have another mask than on one device"
        )
        table += _rows(many, off, step)
    header = ("masks", "row", "replica", "kept units", "as on one device")
    return Picture(figure, f"{'; '.join(words)}.", header, table)


def _heights(run: MaskRecording, step: int) -> dict[int, float]:
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
    heights: dict[int, float],
    named: bool = False,
) -> None:
    for replica, (ids, masks) in enumerate(
        zip(run.ids[step], run.masks[step], strict=True)
    ):
        colour = COLOURS[replica] if run.replicas > 1 else SEQUENTIAL
        for row, mask in zip(ids, masks, strict=True):
            y = heights[row]
            for unit, kept in enumerate(mask):
                axis.add_patch(_cell(unit, y, colour if kept else DROPPED))
            if row in off:
                axis.text(
                    len(mask) + 0.4, y + 0.45, DIFFERS, fontsize=TEXT, va="center"
                )
        if named and ids:
            middle = (heights[ids[0]] + heights[ids[-1]]) / 2 + 0.45
            words = f"replica {replica}"
            axis.text(masks.shape[1] + 2, middle, words, fontsize=TEXT, va="center")
    axis.set_xlim(-0.2, masks.shape[1] + (6.5 if named else 2))
    axis.set_ylim(max(heights.values()) + 1.3, -0.2)
    axis.set_yticks(
        [at + 0.45 for at in heights.values()],
        [f"row {row}" for row in heights],
        fontsize=11,
    )
    axis.set_xticks([])
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    on = "one device" if run.replicas == 1 else f"{run.replicas} replicas"
    if off and named:  # two pairs leave no room, and follow a figure that says it
        on += f", {DIFFERS} other mask"
    axis.set_title(f"{run.label}\n{on}", fontsize=TEXT, loc="left")


def _cell(x: float, y: float, colour: str) -> Rectangle:
    return Rectangle((x, y), 0.9, 0.86, facecolor=colour, edgecolor="#666666", lw=0.6)


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
