"""The logged loss of several runs beside how far their weights are from the first."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from course.checks.exercises import TOLERANCE
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, HATCHES, TEXT, name_axes, new_figure


def same_loss(runs: Mapping[int, tuple[float, np.ndarray]]) -> Picture:
    """Draw two panels of bars, one bar for each run.

    Args:
        runs: number of devices -> (logged loss, weights of shape (n,)); the first
            entry is the run the others are compared with.
    """
    losses = [float(loss) for loss, _ in runs.values()]
    first = next(iter(runs.values()))[1]
    gaps = [float(np.abs(weights - first).max()) for _, weights in runs.values()]
    names = [f"{n} device" + ("s" if n > 1 else "") for n in runs]
    figure, (left, right) = new_figure(2)
    _bars(left, names, losses, [f"{loss:.5f}" for loss in losses])
    _bars(right, names, gaps, [_size(gap) for gap in gaps])
    name_axes(left, "", "mean squared error", "Loss that fit logged")
    name_axes(right, "", "largest difference", "Weights: distance from 1 device")
    right.set_ylim(0, max(1.25 * max(gaps), 0.05))
    same = "the same" if np.ptp(losses) < TOLERANCE else "not the same"
    off = [name for name, gap in zip(names, gaps, strict=True) if gap > TOLERANCE]
    told = f"differ on {', '.join(off)}" if off else "agree too"
    rows = [
        (name, f"{loss:.5f}", _size(gap))
        for name, loss, gap in zip(names, losses, gaps, strict=True)
    ]
    return Picture(
        figure,
        f"The logged loss is {same} in all runs; the weights {told}.",
        ("run", "logged loss", "weights: distance from 1 device"),
        rows,
    )


def _bars(axis: Axes, names: list[str], values: list[float], texts: list[str]) -> None:
    bars = axis.bar(names, values, color=COLOURS, edgecolor="white", width=0.6)
    for bar, hatch in zip(bars, HATCHES, strict=False):
        bar.set_hatch(hatch)
    axis.bar_label(bars, texts, fontsize=TEXT, padding=3)
    axis.margins(y=0.2)


def _size(gap: float) -> str:
    return f"{gap:.3f}" if gap > TOLERANCE else "0" if gap == 0 else f"{gap:.0e}"
