"""How far descent with late gradients is from the minimum, on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from course.pictures.picture import Picture
from course.pictures.style import COLOURS, MARKERS, TEXT, name_axes, new_figure, spread

FLOOR = 1e-6  # a line ends where it goes below
WINDOW = 20  # steps up to here; the largest is drawn, since the swing passes 0


def late_gradients(runs: Mapping[str, np.ndarray]) -> Picture:
    """Draw one line for each run.

    Args:
        runs: name -> |w| after each step, float64 of shape (steps + 1,), the start
            first. The name stands at the line's end.
    """
    figure, (axis,) = new_figure()
    steps = max(len(values) for values in runs.values()) - 1
    ends = []
    for index, values in enumerate(runs.values()):
        drawn = _envelope(values)
        if drawn.min() < FLOOR:
            drawn = np.append(drawn[: int(np.argmax(drawn < FLOOR))], FLOOR)
        axis.plot(
            np.arange(len(drawn)),
            drawn,
            MARKERS[index] + "-",
            color=COLOURS[index],
            markevery=0.1,
            ms=5,
            lw=1.5,
        )
        ends.append((len(drawn) - 1, float(np.log10(drawn[-1]))))
    low, high = np.log10(FLOOR), max(0.0, *(end for _, end in ends))
    axis.set(yscale="log", xlim=(0, steps * 1.45), ylim=(FLOOR / 2, 10 ** (high + 0.4)))
    axis.spines.bottom.set_bounds(0, steps)
    axis.set_xticks(np.linspace(0, steps, 6).round().astype(int))
    heights = spread([end for _, end in ends], 0.1 * (high - low), low, high)
    for index, name in enumerate(runs):
        axis.annotate(
            name,
            (ends[index][0], 10 ** ends[index][1]),
            (ends[index][0] + 0.05 * steps, 10 ** heights[index]),
            fontsize=TEXT,
            va="center",
            arrowprops={"arrowstyle": "-", "color": COLOURS[index], "lw": 1.0},
        ).set_in_layout(False)
    name_axes(axis, "steps taken", f"largest distance, last {WINDOW} steps")
    rows = [
        (name, *(f"{_envelope(values)[k]:.1e}" for k in (0, steps // 2, steps)))
        for name, values in runs.items()
    ]
    words = "; ".join(f"{name}: {_told(float(end))}" for name, *_, end in rows)
    header = (
        "run",
        "at the start",
        f"after {steps // 2} steps",
        f"after {steps} steps",
    )
    return Picture(
        figure,
        f"Largest distance in the last {WINDOW} of {steps} steps (at the start: 1): "
        f"{words}.",
        header,
        rows,
    )


def _told(value: float) -> str:
    return f"{value:.2g}" if value >= FLOOR else f"less than {FLOOR:.0e}"


def _envelope(values: np.ndarray) -> np.ndarray:
    """Return for each step the largest of it and the WINDOW - 1 before it."""
    return np.array(
        [values[max(0, k - WINDOW + 1) : k + 1].max() for k in range(len(values))]
    )
