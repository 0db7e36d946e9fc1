"""Memory of training steps under a limit: where it climbs through, where it fits."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from course.lessons.n12_out_of_memory.memory_limit import StepMemory
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, TEXT, name_axes, new_figure

CLOSE = 1e-5  # float32 gradients of a mean, added up in another order


def memory_curve(whole: StepMemory, *runs: StepMemory) -> Picture:
    """Draw one panel for each run, over the same step without a limit.

    Args:
        whole: the step on all rows at once, without a limit.
        runs: one or two steps under the same limit.

    Raises:
        ValueError: no run or more than two, or one without a limit.
    """
    if not 1 <= len(runs) <= 2 or any(run.limit is None for run in runs):
        raise ValueError(
            f"memory_curve draws one or two runs with a limit, not {len(runs)}"
            + (" (one of them has none)" if runs else "")
        )
    figure, axes = new_figure(len(runs), sharey=True)
    asked = (run.held + (run.asked or 0.0) for run in runs)
    top = max(whole.peak, runs[0].limit, *asked)
    for axis, run in zip(axes, runs, strict=True):
        _panel(axis, whole, run, alone=len(runs) == 1)
        axis.set_xlim(0, max(103.0, _line(run, sum(whole.rows))[0][-1] + 3))
        axis.set_ylim(0, 1.22 * top)
    name_axes(axes[0], "", "MB more than at the start")
    for axis, run in zip(axes, runs, strict=True):
        title = f"{run.label}: {_outcome(whole, run)}"
        name_axes(axis, "work done, % of the step", axis.get_ylabel(), title)
    return Picture(
        figure,
        " ".join(_sentence(whole, run) for run in runs),
        ("run", "limit, MB", "most taken, MB", "rows at a time", "end"),
        [
            (
                run.label,
                "none" if run.limit is None else f"{run.limit:g}",
                f"{run.peak:.1f}",
                f"{max(run.rows, default=0):,}",
                _end(run) or "gradients",
            )
            for run in (whole, *runs)
        ],
    )


def _panel(axis: Axes, whole: StepMemory, run: StepMemory, alone: bool) -> None:
    x, y = _line(whole, sum(whole.rows))
    axis.plot(x, y, "--", color="#777777", lw=1.3)
    axis.text(
        x[int(np.argmax(y))],
        1.05 * whole.peak,
        "all rows, no limit",
        color="#555555",
        fontsize=TEXT - 0.5,
        ha="center",
        va="bottom",
    )
    axis.axhline(run.limit, color=COLOURS[0], lw=2)
    # the step without a limit is low there
    axis.text(
        1.5,
        run.limit + 0.02 * whole.peak,
        f"limit {run.limit:g} MB",
        color=COLOURS[0],
        fontsize=TEXT,
        va="bottom",
    )
    x, y = _line(run, sum(whole.rows))
    axis.plot(x, y, "-o", color=COLOURS[1], ms=3 if len(x) < 40 else 1.5, lw=1.6)
    if run.asked is None:
        return
    end = x[-1] + 100 * max(run.rows, default=0) / sum(whole.rows)
    top = run.held + run.asked
    axis.plot([x[-1], end], [run.held, top], ":", color=COLOURS[1], lw=2)
    axis.plot([end], [top], "x", color="#000000", ms=13, mew=3.5, zorder=5)
    axis.annotate(
        f"asks for {run.asked:.1f} MB:\n"
        + (f"{run.over:.1f} MB too much" if run.over > 0 else "does not get them"),
        (end, top),
        (min(end + (6 if alone else 9), 60 if alone else 54), 0.3 * run.limit),
        fontsize=TEXT,
        va="center",
        arrowprops={"arrowstyle": "-", "relpos": (0.1, 1), "lw": 1.2, "shrinkB": 8},
    )


def _line(run: StepMemory, total: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the work done in % of `total` rows through an operation, and the MB."""
    return (
        100 * np.cumsum((0, *run.rows)) / total,
        np.array((0.0, *run.used)),
    )


def _outcome(whole: StepMemory, run: StepMemory) -> str:
    if run.asked is not None:
        return "out of memory"
    return "fits, equal gradients" if _gap(whole, run) <= CLOSE else "fits, but wrong"


def _gap(whole: StepMemory, run: StepMemory) -> float:
    """Return the largest difference of a gradient; infinite for another shape."""
    if run.gradients.shape != whole.gradients.shape:
        return np.inf
    gap = float(np.abs(run.gradients - whole.gradients).max())
    return gap if np.isfinite(gap) else np.inf


def _end(run: StepMemory) -> str:
    return run.error.partition(":")[0]


def _sentence(whole: StepMemory, run: StepMemory) -> str:
    if run.asked is not None:
        place = whole.names[len(run.names)] if len(run.names) < len(whole.names) else ""
        where = (
            f" at {place.replace(':', ',')}" if run.rows[:1] == whole.rows[:1] else ""
        )
        return f"{run.label} stops{where}: {run.failure}. The error is {_end(run)}."
    gap = _gap(whole, run)
    if gap <= CLOSE:
        same = (
            "The gradients equal those of all rows at once (largest difference "
            f"{gap:.0e})."
        )
    elif np.isfinite(gap):
        same = f"But the gradients are off by up to {gap:.1g}."
    else:
        same = "But there is not one finite gradient for each weight."
    return (
        f"{run.label} fits: up to {max(run.rows, default=0):,} rows at a time take "
        f"{run.peak:.1f} MB, and the limit is {run.limit:g}. {same}"
    )
