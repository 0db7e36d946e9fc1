"""Memory in the first step of each epoch: a line that climbs, or stays."""

from __future__ import annotations

from course.lessons.n12_out_of_memory.epoch_memory import EpochMemory
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, MARKERS, TEXT, name_axes, new_figure, spread

ROOM = 1.45  # of the axis: labels stand behind the lines


def epoch_curve(*runs: EpochMemory) -> Picture:
    """Draw one or two loops over epochs.

    Raises:
        ValueError: not one or two runs, or one in which no step was made.
    """
    if not 1 <= len(runs) <= 2 or not all(run.used for run in runs):
        raise ValueError("epoch_curve draws one or two runs with epochs")
    figure, (axis,) = new_figure()
    last = max(len(run.used) for run in runs) - 1
    top = max(10.0, *(max(run.used) for run in runs))
    heights = spread([run.used[-1] for run in runs], 0.2 * top, 0.05 * top, top)
    for index, (run, height) in enumerate(zip(runs, heights, strict=True)):
        axis.plot(
            run.used,
            color=COLOURS[index],
            marker=MARKERS[index],
            ms=7,
            lw=2,
            clip_on=False,
        )
        axis.annotate(
            f"{run.label}:\n{_growth(run):+d} MB an epoch",
            (len(run.used) - 1, run.used[-1]),
            (1.04 * max(last, 1), height),
            fontsize=TEXT,
            color=COLOURS[index],
            va="center",
        )
    axis.set_xlim(0, ROOM * max(last, 1))
    axis.set_ylim(min(0.0, *(min(run.used) for run in runs)), 1.08 * top)
    axis.set_xticks(range(last + 1))
    axis.spines.bottom.set_bounds(0, last)
    name_axes(axis, "first step of epoch ...", "MB more than in epoch 0")
    return Picture(
        figure,
        " ".join(
            f"{run.label}: {_growth(run):+d} MB with every epoch, "
            f"{run.used[-1]:.0f} MB in the last one."
            for run in runs
        )
        + (" Below 0: less than in epoch 0." * any(min(r.used) < 0 for r in runs)),
        ("run", "epoch", "MB more than in epoch 0"),
        [
            (run.label, str(epoch), f"{used:.1f}")
            for run in runs
            for epoch, used in enumerate(run.used)
        ],
    )


def _growth(run: EpochMemory) -> int:
    """MB for each epoch, rounded; the first ones fill what stays."""
    half = len(run.used) // 2
    epochs = len(run.used) - 1 - half
    return round((run.used[-1] - run.used[half]) / epochs) if epochs > 0 else 0
