"""Distance from the sequential run over the steps, on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

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

FLOOR = 1e-9  # where a distance of exactly zero is drawn


def divergence(gaps: Mapping[str, np.ndarray]) -> Picture:
    """Draw one line for each name: its largest weight difference at each step.

    Args:
        gaps: name -> float64 array of shape (steps + 1,), zero at the start.
    """
    figure, (axis,) = new_figure()
    longest = max(len(gap) for gap in gaps.values()) - 1
    ends = []
    for index, gap in enumerate(gaps.values()):
        steps = np.arange(1, len(gap))
        drawn = np.maximum(gap[1:], FLOOR)
        axis.plot(
            steps,
            drawn,
            MARKERS[index] + "-",
            color=COLOURS[index],
            markevery=max(1, len(steps) // 12),
            ms=5,
            lw=1.5,
        )
        ends.append(np.log10(drawn[-1]))
    axis.hlines(TOLERANCE, 0, longest, color=SEQUENTIAL, lw=1, ls="--")
    axis.text(
        longest * 0.02,
        TOLERANCE * 1.4,
        "limit of the checks, 1e-5",
        fontsize=11,
        va="bottom",
    )
    room = 1.08 + 0.017 * max(map(len, gaps))  # for the names, right of the lines
    axis.set(yscale="log", xlim=(0, longest * room), ylim=(FLOOR / 2, 20))
    axis.spines.bottom.set_bounds(0, longest)
    axis.set_xticks(np.linspace(0, longest, 6).round().astype(int))
    heights = spread(ends, 0.85, np.log10(FLOOR), 1)
    for index, (name, gap) in enumerate(gaps.items()):
        axis.annotate(
            name,
            (len(gap) - 1, 10 ** ends[index]),
            (len(gap) - 1 + 0.06 * longest, 10 ** heights[index]),
            fontsize=TEXT,
            va="center",
            arrowprops={"arrowstyle": "-", "color": COLOURS[index], "lw": 1.0},
        ).set_in_layout(False)
    name_axes(axis, "steps made", "largest difference in a weight")
    rows = [
        (name, f"{gap[1]:.2g}", f"{gap[min(10, len(gap) - 1)]:.2g}", f"{gap[-1]:.2g}")
        for name, gap in gaps.items()
    ]
    words = "; ".join(
        f"{n}: {first} after 1 step, {end} at the end" for n, first, _, end in rows
    )
    header = ("run", "after 1 step", "after 10 steps", "at the end")
    return Picture(figure, f"{words}.", header, rows)
