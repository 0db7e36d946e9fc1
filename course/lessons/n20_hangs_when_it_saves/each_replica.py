"""What each replica returned, as bars beside what one device returns."""

# TODO(room): the one picture that shows your failure at a look

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from course.checks.exercises import TOLERANCE
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, SEQUENTIAL, TEXT, name_axes, new_figure


def each_replica(runs: Mapping[str, np.ndarray], alone: float) -> Picture:
    """Draw a panel for each run.

    Args:
        runs: label of a run -> what each replica returned, shape (replicas,).
        alone: what one device returns.
    """
    figure, axes = new_figure(len(runs), sharey=True)
    for axis, (label, returned) in zip(axes, runs.items(), strict=True):
        names = ["one device", *(f"replica {r}" for r in range(len(returned)))]
        colours = [SEQUENTIAL, *COLOURS[: len(returned)]]
        bars = axis.bar(names, [alone, *returned], color=colours, width=0.6)
        axis.bar_label(bars, fmt="%g", fontsize=TEXT, padding=3)
        axis.margins(y=0.2)
        name_axes(axis, "", "sum", label)
    words = [_words(label, returned, alone) for label, returned in runs.items()]
    rows = [("one device", "0", f"{alone:g}")]
    rows += [
        (label, str(replica), f"{value:g}")
        for label, returned in runs.items()
        for replica, value in enumerate(returned)
    ]
    return Picture(figure, f"{'; '.join(words)}.", ("run", "replica", "sum"), rows)


def _words(label: str, returned: np.ndarray, alone: float) -> str:
    if np.abs(returned - alone).max() < TOLERANCE:
        return f"{label} returns {alone:g} on every replica, as one device does"
    each = ", ".join(f"{value:g}" for value in returned)
    return f"{label} returns {each} on the replicas; one device returns {alone:g}"
