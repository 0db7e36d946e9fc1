"""The look all figures share: Okabe-Ito colours with a marker and a hatch each."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

SEQUENTIAL = "#000000"
COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7")  # one for each replica
MARKERS = ("o", "s", "^", "D")
HATCHES = ("", "//", "..", "xx")
TEXT = 11.5  # points; the smallest text of any figure is 11
WIDTH, HEIGHT = 9.0, 3.4  # inches; at most 10 x 3.5


def new_figure(columns: int = 1, ratios: Sequence[float] | None = None, **shared):
    """Return a white figure of the common size and its axes, one for each column."""
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained", facecolor="white")
    axes = figure.subplots(1, columns, width_ratios=ratios, squeeze=False, **shared)[0]
    for axis in axes:
        axis.tick_params(labelsize=11)
        axis.spines[["top", "right"]].set_visible(False)
    return figure, axes


def name_axes(axis: Axes, x: str, y: str, title: str = "") -> None:
    """Set labels and title in the common text size."""
    axis.set_xlabel(x, fontsize=TEXT)
    axis.set_ylabel(y, fontsize=TEXT)
    if title:
        axis.set_title(title, fontsize=TEXT + 0.5, loc="left")


def spread(
    heights: Sequence[float], apart: float, low: float, high: float
) -> list[float]:
    """Return label heights near `heights`, `apart` from each other, low to high."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    placed = list(heights)
    floor, ceiling = low, high - apart * (len(order) - 1)
    for i in order:
        placed[i] = min(max(placed[i], floor), ceiling)
        floor, ceiling = placed[i] + apart, ceiling + apart
    return placed
