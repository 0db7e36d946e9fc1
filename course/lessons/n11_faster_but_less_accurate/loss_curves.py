"""Loss over examples seen: sequential runs as lines, runs on replicas as markers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from course.lessons.n11_faster_but_less_accurate.normalised import losses_of
from course.lessons.n11_faster_but_less_accurate.shared_batches import seen
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
from course.runs.workloads import Rows

STYLES = ("-", "--", ":")
EQUAL = 1e-5  # of the loss, at every step
CEILING = 1.15  # of the first loss: what climbs higher leaves the figure


def loss_curves(
    alone: Sequence[Recording], shared: Sequence[Recording], rows: Rows
) -> Picture:
    """Draw the mean loss over all `rows` after each step of each run.

    Args:
        alone: up to three runs of one device, drawn as lines.
        shared: up to four runs on replicas, drawn as markers.
        rows: the examples.
    """
    figure, (axis,) = new_figure()
    end = max(seen(run)[-1] for run in (*alone, *shared))
    top = CEILING * losses_of(alone[0], rows)[0]
    ends = []
    for index, run in enumerate(alone):
        loss = losses_of(run, rows)
        look = {"color": SEQUENTIAL, "lw": 1.8, "linestyle": STYLES[index]}
        axis.plot(seen(run), loss, **look)
        ends.append((run.label, seen(run)[-1], min(loss[-1], top), SEQUENTIAL))
    for index, run in enumerate(shared):
        every = max(1, run.steps // 12)
        look = {"color": COLOURS[index], "marker": MARKERS[index], "ms": 8}
        loss = losses_of(run, rows)
        axis.plot(seen(run), loss, ls="", mfc="none", mew=2, markevery=every, **look)
        label = run.label if loss[-1] < top else f"{run.label}: up to {loss[-1]:.3g}"
        ends.append((label, seen(run)[-1], min(loss[-1], top), COLOURS[index]))
    least = min(np.nanmin(losses_of(run, rows)) for run in (*alone, *shared))
    low = least - 0.06 * (top - least)  # half a marker
    axis.set(xlim=(-0.01 * end, 1.62 * end), ylim=(low, top))
    axis.spines.bottom.set_bounds(0, end)
    axis.set_xticks(np.linspace(0, end, 5).round().astype(int))
    room = top - low
    heights = spread([at for *_, at, _ in ends], 0.11 * room, low, top - 0.06 * room)
    for (label, x, y, colour), height in zip(ends, heights, strict=True):
        axis.annotate(
            label,
            (x, y),
            (1.06 * end, height),
            fontsize=TEXT,
            va="center",
            color=colour,
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "lw": 1.0,
                "relpos": (0, 0.5),
            },
        ).set_in_layout(False)
    name_axes(axis, "examples seen", "loss on all rows")
    table = [
        (
            run.label,
            str(seen(run)[-1]),
            str(run.steps),
            f"{losses_of(run, rows)[-1]:.4g}",
        )
        for run in (*alone, *shared)
    ]
    words = [_told(run, alone, rows) for run in shared]
    if not all(" at every step" in word for word in words) or not shared:
        ends = ", ".join(f"{run[0]}: {run[3]}" for run in table)
        words.append(f"losses at the end: {ends}")
    header = ("run", "examples seen", "steps", "loss at the end")
    return Picture(figure, f"{'; '.join(words)}.", header, table)


def _told(run: Recording, alone: Sequence[Recording], rows: Rows) -> str:
    """Say on which sequential run this one lies, at every step."""
    for other in alone:
        if np.array_equal(seen(run), seen(other)):
            gap = np.abs(losses_of(run, rows) - losses_of(other, rows)).max()
            if gap < EQUAL:
                return f"{run.label} lies on {other.label} at every step"
    return f"{run.label} lies on no line"
