"""Where the workers of a run begin, and their weights' paths from there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from course.checks.exercises import TOLERANCE
from course.lessons.n14_workers_differ_before_step_one.worker_starts import StartRun
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

LABELS = 0.3  # share of a panel's width that is kept for labels
WEIGHTS = ("a", "b")
LEADER = {"arrowstyle": "-", "lw": 1.0, "ls": ":"}
KINDS = (("s", COLOURS[2]), ("D", COLOURS[3]))  # of the two lines of distances


def start_paths(*runs: StartRun) -> Picture:
    """Draw the paths of one run beside distances between workers, or of two runs.

    Args:
        runs: of two workers each, and of as many steps.

    Raises:
        ValueError: not one or two runs, or not of two workers, or of other steps.
    """
    steps = {run.recording.steps for run in runs}
    two = all(run.recording.replicas == 2 for run in runs)
    if len(runs) not in (1, 2) or not two or len(steps) != 1:
        raise ValueError("start_paths draws one or two runs of two workers each")
    if len(runs) == 1:
        figure, axes = new_figure(2, ratios=(1.25, 1))
        _distances(axes[1], runs[0])
    else:
        figure, axes = new_figure(2, sharex=True, sharey=True)
    _frame(axes[0], runs)
    for axis, run in zip(axes, runs, strict=False):
        _paths(axis, run)
        name_axes(
            axis, "a", "b" if axis is axes[0] else "", f"{run.label}: the weights"
        )
    return Picture(
        figure,
        " ".join(map(_sentence, runs)),
        ("run", "step", "worker 0: a, b", "worker 1: a, b", "one device: a, b"),
        [row for run in runs for row in _rows(run)],
    )


def _frame(axis: Axes, runs: tuple[StartRun, ...]) -> None:
    """Fit the axes to what is drawn, with a column for labels at the right."""
    parts = [run.recording.copies.reshape(-1, 2) for run in runs]
    points = np.concatenate(parts + [run.truth for run in runs])
    low, high = points.min(axis=0), points.max(axis=0)
    wide, tall = high - low + 1e-6
    left, right = low[0] - 0.3 * wide, high[0] + 0.08 * wide
    axis.set_xlim(left, left + (right - left) / (1 - LABELS))
    axis.set_ylim(low[1] - 0.15 * tall, high[1] + 0.15 * tall)
    ticks = MaxNLocator(4).tick_values(low[0], high[0])
    axis.set_xticks([t for t in ticks if low[0] <= t <= high[0] + 0.05 * wide])
    axis.spines.bottom.set_bounds(left, right)


def _paths(axis: Axes, run: StartRun) -> None:
    axis.plot(*run.truth.T, color=SEQUENTIAL, lw=5, alpha=0.2, solid_capstyle="round")
    copies = run.recording.copies
    equal = np.ptp(copies, axis=1).max() <= TOLERANCE
    for worker in (0, 1):
        # where both are equal, the larger marker below shows as a ring
        axis.plot(
            *copies[:, worker].T,
            MARKERS[worker] + "-",
            color=COLOURS[worker],
            lw=1.3,
            ms=8 - 4 * worker if equal else 4,
        )
    if equal and run.off()[-1] <= TOLERANCE:
        _labels(axis, copies[-1, :1], ["both workers,\none device"], [SEQUENTIAL])
        return
    axis.annotate(
        "one device",
        run.truth[len(run.truth) // 4],
        (0.05, 0.08),
        textcoords="axes fraction",
        fontsize=TEXT,
        arrowprops=LEADER | {"color": SEQUENTIAL},
    )
    if equal:
        _labels(axis, copies[-1, :1], ["both workers"], [COLOURS[1]])
        return
    _labels(axis, copies[-1], ["worker 0", "worker 1"], COLOURS)
    _tie(axis, copies[0], "step 0", "right")
    _tie(axis, copies[-1], f"step {len(copies) - 1}", "left")


def _tie(axis: Axes, ends: np.ndarray, at: str, side: str) -> None:
    """Join the two workers at one step, and say how far they are apart."""
    axis.plot(*ends.T, ":", color=SEQUENTIAL, lw=1.5, zorder=1)
    x, y = ends.mean(axis=0)
    left, right = axis.get_xlim()
    gap = (0.012 if side == "left" else -0.012) * (right - left)
    words = f"{np.abs(ends[0] - ends[1]).max():.3f}\n{at}"
    axis.text(x + gap, y, words, fontsize=11, ha=side, va="center")


def _labels(
    axis: Axes, ends: np.ndarray, names: list[str], colours: Sequence[str]
) -> None:
    """Write each name right of all ends, kept apart, with a line to its end."""
    low, high = axis.get_ylim()
    left, right = axis.get_xlim()
    heights = spread([end[1] for end in ends], 0.12 * (high - low), low, high)
    for end, name, colour, y in zip(ends, names, colours, heights, strict=False):
        axis.annotate(
            name,
            end,
            (right - 0.9 * LABELS * (right - left), y),
            fontsize=TEXT,
            va="center",
            color=colour,
            zorder=5,
            arrowprops=LEADER | {"color": colour},
        ).set_in_layout(False)


def _distances(axis: Axes, run: StartRun) -> None:
    apart = run.apart()
    last = len(apart) - 1
    for (marker, colour), gap, name in zip(KINDS, apart.T, WEIGHTS, strict=True):
        axis.plot(gap, marker + "-", color=colour, ms=5, lw=1.5)
        axis.text(
            1.04 * last, gap[-1], name, fontsize=TEXT, color=colour, va="center"
        ).set_in_layout(False)
    top = max(apart.max(), 1e-3)
    axis.set(xlim=(-0.02 * last, 1.13 * last), ylim=(-0.1 * top, 1.2 * top))
    axis.set_xticks(range(0, last + 1, 5))
    axis.spines.bottom.set_bounds(0, last)
    name_axes(axis, "step", "", "distance from worker 0 to worker 1")


def _sentence(run: StartRun) -> str:
    first, last = run.apart()[0], run.apart()[-1]
    off = run.off()[-1]
    end = f"the end is {off:.2g} from one device."
    if off <= TOLERANCE:
        end = "the end is that of one device."
    if max(first.max(), last.max()) <= TOLERANCE:
        return f"{run.label}: the workers are equal all the way; {end}"
    return (
        f"{run.label}: before step 1 the workers are {_size(first[0])} apart in a and "
        f"{_size(first[1])} in b, after {len(run.apart()) - 1} steps {_size(last[0])} "
        f"and {_size(last[1])}; {end}"
    )


def _size(gap: float) -> str:
    return f"{gap:.3f}" if gap > TOLERANCE else "0"


def _rows(run: StartRun) -> list[tuple[str, ...]]:
    return [
        (
            run.label,
            str(step),
            *(f"{a:.4f}, {b:.4f}" for a, b in (*workers, truth)),
        )
        for step, (workers, truth) in enumerate(
            zip(run.recording.copies, run.truth, strict=True)
        )
    ]
