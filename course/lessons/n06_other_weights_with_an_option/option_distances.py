"""How far each option of `fit` takes the weights from those of one device."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from course.checks.exercises import TOLERANCE
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, MARKERS, TEXT, new_figure

LEAST, MOST = 1e-9, 1e1  # the scale; what is not finite stands at its end
HIGH = 0.27  # inches of a row


def option_distances(
    distances: Mapping[str, float],
    said: Mapping[str, tuple[bool, ...]] | None = None,
) -> Picture:
    """Draw a dot for each option, on a logarithmic scale.

    Args:
        distances: option -> the largest difference of a weight, two replicas from one
            device; infinity or NaN where a weight is not finite.
        said: option -> what the learner ticked: whether the weights stay the same.
    """
    said = said or {}
    figure, (axis,) = new_figure()
    figure.set_size_inches(figure.get_size_inches()[0], HIGH * len(distances) + 0.75)
    axis.set_xscale("log")
    axis.set_xlim(LEAST, MOST * 3)
    axis.set_ylim(len(distances) - 0.4, -0.6)
    axis.axvspan(LEAST, TOLERANCE, color="#eeeeee", zorder=0)
    for at, (option, distance) in enumerate(distances.items()):
        _row(axis, at, distance, said.get(option))
    axis.set_yticks(range(len(distances)), distances, family="monospace")
    axis.tick_params(axis="y", length=0, labelsize=11)
    axis.set_xticks([1e-8, 1e-6, 1e-4, 1e-2, 1])
    axis.set_xlabel("largest difference of a weight (grey: rounding)", fontsize=TEXT)
    other = [option for option, distance in distances.items() if not _same(distance)]
    rows = [
        (option, f"{distance:.1e}", "yes" if _same(distance) else "no")
        for option, distance in distances.items()
    ]
    header = ("option", "largest difference of a weight", "the same weights")
    return Picture(figure, _sentence(other, len(distances)), header, rows)


def _row(axis: Axes, at: int, distance: float, ticks: tuple[bool, ...] | None) -> None:
    finite, same = bool(np.isfinite(distance)), _same(distance)
    place = min(max(distance, 2 * LEAST), MOST) if finite else MOST
    axis.axhline(at, color="#dddddd", lw=0.8, zorder=0)
    marker = MARKERS[0 if same else 3] if finite else ">"
    axis.plot(place, at, marker, ms=8, color=COLOURS[2 if same else 0])
    axis.annotate(
        f"{distance:.0e}" if finite else "not finite",
        (place, at),
        (-9, 0) if distance > 1 or not finite else (9, 0),
        textcoords="offset points",
        fontsize=11,
        va="center",
        ha="right" if distance > 1 or not finite else "left",
        bbox={"fc": "white", "ec": "none", "pad": 0.5},
    )
    words = "the same" if same else "other weights"
    if ticks is not None and ticks[0] != same:
        words += " (you: the same)" if ticks[0] else " (you: other)"
    beside = axis.get_yaxis_transform()
    axis.text(1.03, at, words, fontsize=TEXT, va="center", transform=beside)


def _same(distance: float) -> bool:
    return bool(distance <= TOLERANCE)


def _sentence(other: list[str], options: int) -> str:
    if not other:
        return f"Each of the {options} keeps the weights of one device."
    if len(other) == options:
        return "None keeps the weights of one device."
    return (
        f"{len(other)} of {options} end with other weights than on one device: "
        f"{'; '.join(other)}."
    )
