"""Where the workers of a run begin, their weights' paths, and the distances between."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from course.checks.exercises import TOLERANCE
from course.lessons.n15_workers_differ_before_step_one.worker_starts import StartRun
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

LABELS = 0.3  # share of a panel's width that is kept for labels
LEADER = {"arrowstyle": "-", "lw": 1.0, "ls": ":"}
FAINT = 0.3  # how strong the run before is drawn


def start_paths(run: StartRun, before: StartRun | None = None) -> Picture:
    """Draw the paths of all workers beside their distances, step by step as a film.

    Args:
        run: of two or three workers.
        before: another run, whose paths and distances stay, faint.
    """
    figure, (left, right) = new_figure(2, ratios=(1.25, 1))
    runs = [run] if before is None else [run, before]
    _frame(left, runs)
    _paths(left, run, before)
    _distances(right, run, before)
    figure.suptitle(run.label, x=0.01, ha="left", fontsize=TEXT + 0.5)
    name_axes(left, "a", "b", "weights")
    name_axes(right, "step", "", "largest distance in a weight")
    steps = len(run.truth)
    said = [_said(run, step) for step in range(steps)]
    workers = range(run.recording.replicas)
    return Picture(
        figure,
        _sentence(run, before),
        ("step", *(f"worker {w}: a, b" for w in workers), "one device: a, b"),
        [
            (str(step), *(f"{a:.4f}, {b:.4f}" for a, b in (*copies, run.truth[step])))
            for step, copies in enumerate(run.recording.copies)
        ],
        moments=[f"step {step}" for step in range(steps)],
        said=[*said[:-1], _sentence(run, before)],
    )


def _frame(axis: Axes, runs: list[StartRun]) -> None:
    """Fit the axes to what is drawn, with a column for labels at the right."""
    parts = [run.recording.copies.reshape(-1, 2) for run in runs]
    points = np.concatenate(parts + [run.truth for run in runs])
    low, high = points.min(axis=0), points.max(axis=0)
    wide, tall = high - low + 1e-6
    left, right = low[0] - 0.08 * wide, high[0] + 0.08 * wide
    axis.set_xlim(left, left + (right - left) / (1 - LABELS))
    axis.set_ylim(low[1] - 0.15 * tall, high[1] + 0.15 * tall)
    ticks = MaxNLocator(4).tick_values(low[0], high[0])
    axis.set_xticks([t for t in ticks if low[0] <= t <= high[0] + 0.05 * wide])
    axis.spines.bottom.set_bounds(left, right)


def _paths(axis: Axes, run: StartRun, before: StartRun | None) -> None:
    if before is not None:
        for worker, path in enumerate(before.recording.copies.swapaxes(0, 1)):
            axis.plot(*path.T, ":", color=COLOURS[worker], lw=1.6, alpha=FAINT)
    axis.plot(*run.truth.T, color=SEQUENTIAL, lw=6, alpha=0.2, solid_capstyle="round")
    copies = run.recording.copies
    for step, now in enumerate(copies):
        for worker, weights in enumerate(now):
            last = copies[max(step - 1, 0), worker]
            (line,) = axis.plot(
                *np.array([last, weights]).T,
                "-",
                marker=MARKERS[worker],
                markevery=[1],
                color=COLOURS[worker],
                lw=1.3,
                # where workers are equal, a larger marker below shows as a ring
                ms=7.5 - 2 * worker,
            )
            a, b = weights
            says = f"worker {worker} after step {step}: a {a:.3f}, b {b:.3f}"
            part(line, says, since=step)
    groups = _groups(copies[-1])
    _label(axis, run, groups)


def _groups(ends: np.ndarray) -> list[list[int]]:
    """Return the workers that end together."""
    found: list[list[int]] = []
    for worker, end in enumerate(ends):
        for group in found:
            if np.abs(ends[group[0]] - end).max() <= TOLERANCE:
                group.append(worker)
                break
        else:
            found.append([worker])
    return found


def _label(axis: Axes, run: StartRun, groups: list[list[int]]) -> None:
    """Name each end at the right, kept apart, with a line to it."""
    ends = [run.recording.copies[-1, group[0]] for group in groups]
    words = [_named(group, run.recording.replicas) for group in groups]
    colours = [COLOURS[group[-1]] for group in groups]
    one = run.truth[-1]
    near = [k for k, end in enumerate(ends) if np.abs(end - one).max() <= TOLERANCE]
    if near:
        words[near[0]] += ",\none device"
    else:
        ends, words, colours = [*ends, one], [*words, "one device"], [*colours, "black"]
    low, high = axis.get_ylim()
    left, right = axis.get_xlim()
    apart = (0.2 if near else 0.12) * (high - low)
    heights = spread([end[1] for end in ends], apart, low + apart / 2, high - apart / 2)
    for end, name, colour, y in zip(ends, words, colours, heights, strict=True):
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


def _named(group: list[int], workers: int) -> str:
    if len(group) == 1:
        return f"worker {group[0]}"
    if len(group) == workers:
        return "both workers" if workers == 2 else f"{workers} workers"
    return f"workers {', '.join(map(str, group))}"


def _distances(axis: Axes, run: StartRun, before: StartRun | None) -> None:
    apart, off = run.apart().max(axis=1), run.off()
    last, top = len(off) - 1, max(apart.max(), off.max())
    if before is not None:
        old = before.apart().max(axis=1), before.off()
        top = max(top, *(line.max() for line in old))
        axis.plot(old[0], ":", color=COLOURS[2], lw=2, alpha=FAINT + 0.1)
        axis.plot(old[1], ":", color=SEQUENTIAL, lw=2, alpha=FAINT + 0.1)
    top = max(top, 1e-3)
    for step in range(1, last + 1):
        for line, colour, wide in ((off, SEQUENTIAL, 1.5), (apart, COLOURS[2], 3)):
            (drawn,) = axis.plot(
                [step - 1, step], line[step - 1 : step + 1], "-", color=colour, lw=wide
            )
            what = "between workers" if colour != SEQUENTIAL else "from one device"
            part(drawn, f"step {step}, {what}: {line[step]:.3g}", since=step)
    labels = {"between\nworkers": apart[-1], "from one\ndevice": off[-1]}
    if abs(apart[-1] - off[-1]) <= TOLERANCE and off[-1] <= TOLERANCE:
        labels = {"both\ndistances": off[-1]}
    places = spread(list(labels.values()), 0.27 * top, 0.0, 1.1 * top)
    colours = (COLOURS[2], SEQUENTIAL)
    for words, y, colour in zip(labels, places, colours, strict=False):
        axis.text(1.04 * last, y, words, fontsize=TEXT, color=colour, va="center")
    axis.set(xlim=(-0.02 * last, 1.42 * last), ylim=(-0.12 * top, 1.25 * top))
    axis.set_xticks(range(0, last + 1, 5))
    axis.spines.bottom.set_bounds(0, last)


def _said(run: StartRun, step: int) -> str:
    apart, off = run.apart()[step].max(), run.off()[step]
    when = "before step 1" if step == 0 else f"after step {step}"
    return (
        f"{run.label}: {when} the workers are {_size(apart)} apart, and "
        f"{_size(off)} from one device."
    )


def _sentence(run: StartRun, before: StartRun | None) -> str:
    last = len(run.truth) - 1
    apart, off = run.apart().max(axis=1), run.off()
    said = (
        f"{run.label}: the workers are {_size(apart[0])} apart before step 1 and "
        f"{_size(apart[-1])} after step {last}; from one device, {_size(off[0])} and "
        f"{_size(off[-1])}."
    )
    if before is None:
        return said
    gap = _size(before.apart()[-1].max())
    return f"{said} Before that, {before.label} ended {gap} apart (dotted)."


def _size(gap: float) -> str:
    return f"{gap:.3f}" if gap > TOLERANCE else "0"
