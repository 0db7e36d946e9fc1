"""Weights in the plane: the sequential path, and the path of every replica's copy."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from course.checks.exercises import TOLERANCE
from course.pictures.picture import Picture
from course.pictures.style import (
    COLOURS,
    MARKERS,
    SEQUENTIAL,
    TEXT,
    name_axes,
    new_figure,
    spread,
)
from course.runs.recording import Recording

LABELS = 0.44  # share of a panel's width that is kept for labels
SHOWN = "replica 0: all that\nw.numpy() shows"


def weights_plane(
    sequential: Recording, *runs: Recording, step: int | None = None
) -> Picture:
    """Draw the sequential run beside one run, or two runs on top of it.

    Args:
        sequential: one replica, two weights.
        runs: one or two recordings of as many steps.
        step: draw only up to this step; all of them by default.

    Raises:
        ValueError: not one or two runs, another number of steps, or no such step.
    """
    last = sequential.steps if step is None else step
    if len(runs) not in (1, 2) or any(r.steps != sequential.steps for r in runs):
        raise ValueError(f"give one or two runs of {sequential.steps} steps")
    if not 0 <= last <= sequential.steps:
        raise ValueError(f"step goes from 0 to {sequential.steps}, not {last}")
    panels = runs if len(runs) == 2 else (sequential, *runs)
    figure, axes = new_figure(2, sharex=True, sharey=True)
    _frame(axes[0], [p.copies for p in (sequential, *runs)])
    for axis, panel in zip(axes, panels, strict=True):
        _draw(axis, sequential, panel, last)
        name_axes(axis, "w[0]", "w[1]" if axis is axes[0] else "", panel.label)
    gaps = [_gap_words(sequential, run, last) for run in runs]
    header = ("run", "replica", "w[0]", "w[1]", "from sequential")
    rows = [row for r in (sequential, *runs) for row in _rows(sequential, r, last)]
    return Picture(figure, f"After step {last}: {'; '.join(gaps)}.", header, rows)


def _frame(axis: Axes, copies: list[np.ndarray]) -> None:
    """Fit the axes to what is drawn, with a column for labels at the right."""
    points = np.concatenate([part.reshape(-1, 2) for part in copies])
    low, high = points.min(axis=0), points.max(axis=0)
    wide, tall = high - low + 1e-6
    left, right = low[0] - 0.08 * wide, high[0] + 0.06 * wide
    axis.set_xlim(left, left + (right - left) / (1 - LABELS))
    axis.set_ylim(low[1] - 0.15 * tall, high[1] + 0.15 * tall)
    ticks = MaxNLocator(4).tick_values(low[0], high[0])
    axis.set_xticks([t for t in ticks if low[0] <= t <= high[0] + 0.05 * wide])
    for panel in axis.figure.axes:
        panel.spines.bottom.set_bounds(left, right)


def _draw(axis: Axes, sequential: Recording, panel: Recording, last: int) -> None:
    path = sequential.copies[: last + 1, 0]
    axis.plot(*path.T, color=SEQUENTIAL, lw=5, alpha=0.18, solid_capstyle="round")
    axis.plot(*sequential.copies[0, 0], "k+", ms=11, mew=2)
    if panel is sequential:
        axis.plot(*path.T, "o-", color=SEQUENTIAL, lw=1.5, ms=4)
        _label(axis, [path[-1]], ["one device"], [SEQUENTIAL])
        return
    copies = panel.copies[: last + 1]
    for replica in range(panel.replicas):
        # larger markers below, so that equal copies show as rings
        axis.plot(
            *copies[:, replica].T,
            MARKERS[replica] + "-",
            color=COLOURS[replica],
            lw=1.4,
            ms=9 - 2 * replica if _agree(copies) else 5,
        )
    if _agree(copies[-1:]):
        _label(axis, [copies[-1, 0]], [f"{panel.replicas} equal copies"], [SEQUENTIAL])
        return
    names = [f"replica {r}" for r in range(panel.replicas)]
    names[0] = SHOWN
    _label(axis, list(copies[-1]), names, list(COLOURS))


def _agree(copies: np.ndarray) -> bool:
    return bool(np.ptp(copies, axis=1).max() <= TOLERANCE)


def _label(axis: Axes, ends: list, names: list[str], colours: list[str]) -> None:
    """Write each name right of all ends, kept apart, with a line to its end."""
    low, high = axis.get_ylim()
    room = high - low
    left, right = axis.get_xlim()
    x = right - 0.95 * LABELS * (right - left)
    heights = spread(
        [end[1] for end in ends], 0.13 * room, low + 0.08 * room, high - 0.1 * room
    )
    marks = MARKERS if len(ends) > 1 else [""]
    wide = 0.03 * (right - left)
    for end, name, colour, y, mark in zip(
        ends, names, colours, heights, marks, strict=False
    ):
        # lines may cross: the path's own marker says whose name it is
        axis.plot([x], [y], mark, color=colour, ms=6, zorder=6, clip_on=False)
        axis.annotate(
            name,
            end,
            (x + wide if mark else x, y),
            fontsize=TEXT,
            va="center",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
            zorder=5,
            # thin and dotted: it must not look like one more step of the path
            arrowprops={"arrowstyle": "-", "color": colour, "lw": 1.0, "ls": ":"},
        ).set_in_layout(False)


def _gap_words(sequential: Recording, run: Recording, last: int) -> str:
    copies = run.copies[last]
    apart = np.ptp(copies, axis=0).max()
    gaps = run.gaps(sequential)[last]
    off = gaps.max()
    if apart > TOLERANCE:
        *most, final = [f"{gap:.2g}" for gap in gaps]
        return (
            f"{run.label}: the {run.replicas} copies differ by up to {apart:.2g}; "
            f"replicas 0 to {run.replicas - 1} are {', '.join(most)} and {final} away "
            "from the sequential run"
        )
    where = "equal the sequential run" if off <= TOLERANCE else f"are {off:.2g} off it"
    return f"{run.label}: the {run.replicas} copies agree and {where}"


def _rows(sequential: Recording, run: Recording, last: int) -> list[tuple[str, ...]]:
    gaps = run.gaps(sequential)[last]
    return [
        (run.label, str(r), f"{w[0]:.4f}", f"{w[1]:.4f}", f"{gaps[r]:.1e}")
        for r, w in enumerate(run.copies[last])
    ]
