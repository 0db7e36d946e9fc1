"""Weights in the plane: the sequential path, and the path of every replica's copy."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from course.checks.exercises import TOLERANCE
from course.pictures.parts import part
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
from course.runs.recording import Recording, steps_made

BAND = "0.83"  # grey, without alpha: pieces that overlap must not show
LABELS = 0.44  # share of a panel's width that is kept for labels


def weights_plane(
    sequential: Recording, *runs: Recording, faint: Recording | None = None
) -> Picture:
    """Draw the sequential run beside one run, or two runs on top of it; as a film.

    Args:
        sequential: one replica, two weights.
        runs: one or two recordings of as many steps.
        faint: the run shown before, drawn thin and grey beside the first one.

    Raises:
        ValueError: not one or two runs, or another number of steps.
    """
    if len(runs) not in (1, 2) or any(r.steps != sequential.steps for r in runs):
        raise ValueError(f"give one or two runs of {sequential.steps} steps")
    panels = runs if len(runs) == 2 else (sequential, *runs)
    figure, axes = new_figure(2, sharex=True, sharey=True)
    shown = (sequential, *runs, *([faint] if faint else []))
    _frame(axes[0], [p.copies for p in shown])
    if faint:
        _draw_faint(axes[-1], faint)
    greys = "grey: sequential" + ("; thin: before" if faint else "")
    for axis, panel in zip(axes, panels, strict=True):
        _draw(axis, sequential, panel)
        title = panel.label + (f" ({greys})" if panel in runs else "")
        name_axes(axis, "w[0]", "w[1]" if axis is axes[0] else "", title)
    counts = range(sequential.steps + 1)
    gaps = ["; ".join(_gap_words(sequential, r, k) for r in runs) for k in counts]
    said = [f"After {steps_made(k)}: {gaps[k]}." for k in counts]
    header = ("run", "replica", "w[0]", "w[1]", "from sequential")
    rows = [row for r in (sequential, *runs) for row in _rows(sequential, r)]
    moments = [f"after {steps_made(k)}" for k in counts]
    return Picture(figure, said[-1], header, rows, moments, said)


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


def _draw_faint(axis: Axes, run: Recording) -> None:
    for replica in range(run.replicas):
        path = run.copies[:, replica].T
        (line,) = axis.plot(*path, color="0.75", lw=1.2, zorder=0)
        part(line, f"the run before, replica {replica} of {run.replicas}")


def _draw(axis: Axes, sequential: Recording, panel: Recording) -> None:
    truth = sequential.copies[:, 0]
    for k in range(len(truth)):
        (band,) = axis.plot(
            *truth[max(k - 1, 0) : k + 1].T,
            color=BAND,
            lw=5,
            solid_capstyle="round",
        )
        part(band, since=k)
    axis.plot(*truth[0], "k+", ms=11, mew=2, zorder=7)  # above all first points
    if panel is sequential:
        style = {"marker": "o", "color": SEQUENTIAL, "lw": 1.5, "ms": 4}
        _path(axis, truth, style, [_of_one(k, w) for k, w in enumerate(truth)])
        _label(axis, [truth], ["one device"], [SEQUENTIAL])
        return
    gaps, alike = panel.gaps(sequential), _agree(panel.copies)
    for replica in range(panel.replicas):
        style = {
            "marker": MARKERS[replica],
            "color": COLOURS[replica],
            "lw": 1.4,
            # larger markers below, so that equal copies show as rings
            "ms": 9 - 2 * replica if alike else 5,
        }
        says = [
            _of_copy(panel, replica, k, gaps[k, replica]) for k in range(len(truth))
        ]
        _path(axis, panel.copies[:, replica], style, says)
    if alike:
        name = f"{panel.replicas} equal copies"
        _label(axis, [panel.copies[:, 0]], [name], [SEQUENTIAL])
        return
    names = [f"replica {r}" for r in range(panel.replicas)]
    _label(axis, list(panel.copies.swapaxes(0, 1)), names, list(COLOURS))


def _path(axis: Axes, path: np.ndarray, style: dict, says: list[str]) -> None:
    """Draw a path step by step: a point, and the line that leads to it."""
    line = {name: style[name] for name in ("color", "lw")}
    for k, words in enumerate(says):
        (leads,) = axis.plot(*path[max(k - 1, 0) : k + 1].T, **line)
        part(leads, since=k)
        (point,) = axis.plot(*path[k], ls="", **style)
        part(point, words, since=k)


def _of_one(k: int, w: np.ndarray) -> str:
    return f"one device after {steps_made(k)}: w = ({w[0]:.3f}, {w[1]:.3f})"


def _of_copy(run: Recording, replica: int, k: int, gap: float) -> str:
    w = run.copies[k, replica]
    said = f"replica {replica} after {steps_made(k)}: w = ({w[0]:.3f}, {w[1]:.3f})"
    if k == 0 or not run.ids:
        return said
    rows = ", ".join(map(str, run.ids[k - 1][replica])) or "none"
    return f"{said}, {gap:.2g} from one device; its rows in step {k - 1}: {rows}"


def _agree(copies: np.ndarray) -> bool:
    return bool(np.ptp(copies, axis=1).max() <= TOLERANCE)


def _label(axis: Axes, paths: list, names: list[str], colours: list[str]) -> None:
    """Write each name right of all paths, kept apart, with a line to its end."""
    low, high = axis.get_ylim()
    room = high - low
    left, right = axis.get_xlim()
    x = right - 0.95 * LABELS * (right - left)
    heights = spread(
        [path[-1][1] for path in paths],
        0.13 * room,
        low + 0.08 * room,
        high - 0.1 * room,
    )
    marks = MARKERS if len(paths) > 1 else [""]
    wide = 0.03 * (right - left)
    for path, name, colour, y, mark in zip(
        paths, names, colours, heights, marks, strict=False
    ):
        # lines may cross: the path's own marker says whose name it is
        axis.plot([x], [y], mark, color=colour, ms=6, zorder=6, clip_on=False)
        written = axis.text(
            x + wide if mark else x,
            y,
            name,
            fontsize=TEXT,
            va="center",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
            zorder=5,
        )
        written.set_in_layout(False)
        # thin and dotted, and of the last step only: it must not look like a path
        end = path[-1]
        (leads,) = axis.plot([end[0], x], [end[1], y], ":", color=colour, lw=1.0)
        part(leads, since=len(path) - 1)


def _gap_words(sequential: Recording, run: Recording, last: int) -> str:
    copies = run.copies[last]
    apart = np.ptp(copies, axis=0).max()
    gaps = run.gaps(sequential)[last]
    off = gaps.max()
    if apart > TOLERANCE:
        *most, final = [f"{gap:.2g}" for gap in gaps]
        to = "and" if run.replicas == 2 else "to"
        return (
            f"{run.label}: the {run.replicas} copies differ by up to {apart:.2g}; "
            f"replicas 0 {to} {run.replicas - 1} are {', '.join(most)} and {final} "
            "away from the sequential run"
        )
    away = "equal" if off <= TOLERANCE else f"are {off:.2g} away from"
    return f"{run.label}: the {run.replicas} copies agree and {away} the sequential run"


def _rows(sequential: Recording, run: Recording) -> list[tuple[str, ...]]:
    gaps = run.gaps(sequential)[-1]
    return [
        (run.label, str(r), f"{w[0]:.4f}", f"{w[1]:.4f}", f"{gaps[r]:.1e}")
        for r, w in enumerate(run.copies[-1])
    ]
