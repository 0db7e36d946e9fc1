"""The weight of each example in one step, above the run's distance from the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course.checks.exercises import TOLERANCE
from course.lessons.n03_right_only_when_it_divides.losses import fraction
from course.pictures.picture import Picture
from course.pictures.style import (
    COLOURS,
    HATCHES,
    HEIGHT,
    MARKERS,
    SEQUENTIAL,
    TEXT,
    WIDTH,
    name_axes,
    spread,
)
from course.runs.recording import Recording

LABELS = 0.3  # share of the strip's width that is kept for labels


def example_bars(
    sequential: Recording,
    runs: Sequence[Recording],
    weights: Mapping[str, Sequence[np.ndarray]],
    step: int,
) -> Picture:
    """Draw the weights of the examples of one step, run by run, and the whole runs.

    Args:
        sequential: one replica; `ids` say which rows each step has.
        runs: one or two runs on replicas, as many steps.
        weights: label of a run -> for each replica the weights of its examples in
            `step`, float64 of shape (its examples,).
        step: index of the step, from 0.

    Raises:
        ValueError: not one or two runs, another number of steps, or no weights of one.
    """
    if len(runs) not in (1, 2) or any(r.steps != sequential.steps for r in runs):
        raise ValueError(f"give one or two runs of {sequential.steps} steps")
    missing = [run.label for run in runs if run.label not in weights]
    if missing:
        raise ValueError(f"no weights are given for the run {missing[0]!r}")
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained", facecolor="white")
    top, bottom = figure.subfigures(2, 1, height_ratios=(1.35, 1))
    panels = top.subplots(1, len(runs) + 1, sharey=True)
    ids = sequential.ids[step][0]
    even = 1 / len(ids)
    _bars(panels[0], [ids], [np.full(len(ids), even)], "one device", [SEQUENTIAL])
    for axis, run in zip(panels[1:], runs, strict=True):
        _bars(axis, run.ids[step], weights[run.label], run.label, COLOURS)
    most = max(float(part.max()) for w in weights.values() for part in w if len(part))
    panels[0].set_ylim(0, 1.3 * max(most, even))
    panels[0].set_ylabel("weight", fontsize=TEXT)
    strip = bottom.subplots()
    _strip(strip, sequential, runs)
    words = [_words(run, weights[run.label], even, step) for run in runs]
    header = ("run", "row", "replica", f"weight in step {step}")
    rows = [("one device", str(i), "0", fraction(even)) for i in ids]
    rows += [
        (run.label, str(row), str(replica), fraction(weight))
        for run in runs
        for replica, part in enumerate(run.ids[step])
        for row, weight in zip(part, weights[run.label][replica], strict=True)
    ]
    return Picture(figure, f"{'; '.join(words)}.", header, rows)


def _bars(axis: Axes, ids, weights, title: str, colours: Sequence[str]) -> None:
    place, ticks = 0, []
    for replica, (own, part) in enumerate(zip(ids, weights, strict=True)):
        for row, weight in zip(own, part, strict=True):
            bars = axis.bar(
                place,
                weight,
                width=0.62,
                color=colours[replica],
                edgecolor="white",
                hatch=HATCHES[replica],
            )
            axis.bar_label(bars, [fraction(weight)], fontsize=TEXT, padding=2)
            on = f"replica {replica}" if len(colours) > 1 else ""
            ticks.append(f"row {row}\n{on}".rstrip())
            place += 1
        if not own:
            ticks.append(f"no row\nreplica {replica}")
            place += 1
    axis.set_xticks(range(place), ticks, fontsize=11)
    axis.set_xlim(-0.6, max(place, 3) - 0.4)
    axis.tick_params(labelsize=11, length=0)
    axis.set_yticks([0, 0.5, 1], ["0", "1/2", "1"])
    axis.spines[["top", "right"]].set_visible(False)
    axis.set_title(title, fontsize=TEXT + 0.5, loc="left")


def _strip(axis: Axes, sequential: Recording, runs: Sequence[Recording]) -> None:
    steps = np.arange(sequential.steps + 1)
    full = max(len(ids) for (ids,) in sequential.ids)
    short = [k for k, (ids,) in enumerate(sequential.ids, start=1) if len(ids) < full]
    for k in short:
        axis.axvspan(k - 1, k, color="#000000", alpha=0.1, lw=0)
    gaps = [run.gaps(sequential).max(axis=1) for run in runs]
    top = max(max(float(gap.max()) for gap in gaps), 100 * TOLERANCE)
    for index, gap in enumerate(gaps):
        style = {"color": SEQUENTIAL, "ls": _LINES[index], "marker": MARKERS[index]}
        axis.plot(steps, gap, ms=5, lw=1.5, **style)
    heights = spread([float(gap[-1]) for gap in gaps], 0.28 * top, 0, 1.1 * top)
    last = sequential.steps
    for run, gap, height in zip(runs, gaps, heights, strict=True):
        axis.annotate(
            run.label,
            (last, gap[-1]),
            (last * 1.05, height),
            fontsize=TEXT,
            va="center",
            arrowprops={"arrowstyle": "-", "color": SEQUENTIAL, "lw": 1.0},
        )
    axis.set_ylim(-0.1 * top, 1.3 * top)
    axis.set_xlim(0, last / (1 - LABELS))
    axis.spines.bottom.set_bounds(0, last)
    axis.set_xticks(range(0, last + 1, max(1, last // 10)))
    tick = _round_down(top)
    axis.set_yticks([0, tick], ["0", f"{tick:g}"])
    axis.tick_params(labelsize=11)
    axis.spines[["top", "right"]].set_visible(False)
    name_axes(axis, "", "distance", "")
    axis.set_xlabel("after so many steps (grey: the smaller last batch)", fontsize=TEXT)


_LINES = ("-", "--")  # colours say which replica


def _round_down(value: float) -> float:
    unit = 10.0 ** np.floor(np.log10(value))
    return float(f"{np.floor(value / unit) * unit:.1g}")


def _words(run: Recording, weights, even: float, step: int) -> str:
    each = np.concatenate(weights)
    right = fraction(even) + (" each" if len(each) > 1 else "")
    if np.abs(each - even).max() < TOLERANCE:
        return f"{run.label} weighs the rows of step {step} with {right}, as one device"
    said = ", ".join(fraction(weight) for weight in each)
    return f"{run.label} weighs the rows of step {step} with {said}; right is {right}"
