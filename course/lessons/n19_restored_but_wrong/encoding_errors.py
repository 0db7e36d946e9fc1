"""How wrong a number is after a way of writing it down, over the number's size."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from matplotlib.axes import Axes

from course.pictures.picture import Picture
from course.pictures.style import COLOURS, MARKERS, TEXT, name_axes, new_figure, spread

Encode = Callable[[np.ndarray], np.ndarray]  # float32 numbers there and back

LOWEST, HIGHEST, PER_DECADE = -10, 6, 2  # powers of ten; bins in each
EACH = 30  # numbers in a bin
NOTHING, INFINITE = 1e-9, 10.0  # the edges: what is below or above is drawn there
MOST = 4


def encoding_errors(ways: Mapping[str, Encode], seed: int = 18) -> Picture:
    """Draw the largest relative error of numbers of each size.

    Args:
        ways: up to four, name -> function of a float32 array, which returns the array
            as it comes back.
        seed: the numbers are drawn from it.

    Raises:
        ValueError: no way or more than four, or one that returns another shape.
    """
    if not 1 <= len(ways) <= MOST:
        raise ValueError(f"encoding_errors draws up to {MOST} ways, not {len(ways)}")
    sizes, numbers = _numbers(seed)
    errors = {name: _errors(name, way, numbers) for name, way in ways.items()}
    figure, (axis,) = new_figure()
    for index, error in enumerate(errors.values()):
        look = {"color": COLOURS[index], "marker": MARKERS[index], "ms": 5, "lw": 1.5}
        axis.plot(sizes, error.clip(NOTHING, INFINITE), **look)
    _frame(axis, errors)
    sentences = [_told(name, sizes, error) for name, error in errors.items()]
    rows = [
        (name, f"{size:.1e}", _words(value))
        for name, error in errors.items()
        for size, value in zip(sizes, error, strict=True)
    ]
    header = ("way", "about this size", "largest relative error")
    return Picture(figure, f"{'; '.join(sentences)}.", header, rows)


def _numbers(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the middle of each bin, and float32 numbers of shape (bins, EACH)."""
    rng = np.random.default_rng(seed)
    edges = np.arange(LOWEST, HIGHEST, 1 / PER_DECADE)
    powers = edges[:, None] + rng.uniform(0, 1 / PER_DECADE, (len(edges), EACH))
    signs = rng.choice((-1, 1), powers.shape)
    return 10 ** (edges + 0.5 / PER_DECADE), (signs * 10**powers).astype(np.float32)


def _errors(name: str, way: Encode, numbers: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        back = np.asarray(way(numbers.ravel()), np.float64)
    if back.shape != (numbers.size,):
        raise ValueError(
            f"{name!r} returned the shape {back.shape}, not as many numbers"
        )
    back = back.reshape(numbers.shape)
    return np.abs(back / numbers.astype(np.float64) - 1).max(axis=1)


def _frame(axis: Axes, errors: Mapping[str, np.ndarray]) -> None:
    axis.set(xscale="log", yscale="log", ylim=(NOTHING / 3, 5 * INFINITE))
    low, high = 10.0**LOWEST, 10.0**HIGHEST
    axis.set_xlim(low / 2, 3e3 * high)
    axis.spines.bottom.set_bounds(low / 2, high)
    axis.set_xticks([10.0**k for k in range(LOWEST, HIGHEST + 1, 2)])
    axis.set_yticks(
        [NOTHING, 1e-6, 1e-4, 1e-2, 1.0, INFINITE],
        ["< 1e-9", "1e-6", "1e-4", "1 %", "100 %", "infinite"],
    )
    axis.minorticks_off()
    name_axes(axis, "size of the number", "largest relative error")
    ends = [np.log10(error.clip(NOTHING, INFINITE)[-1]) for error in errors.values()]
    heights = spread(ends, 1.0, -8.5, 1.2)
    for index, (name, end, y) in enumerate(zip(errors, ends, heights, strict=True)):
        axis.annotate(
            name,
            (high / 2, 10**end),
            (3 * high, 10**y),
            fontsize=TEXT,
            color=COLOURS[index],
            va="center",
            arrowprops={"arrowstyle": "-", "lw": 1.0, "color": COLOURS[index]},
        ).set_in_layout(False)


def _told(name: str, sizes: np.ndarray, error: np.ndarray) -> str:
    """Say from where to where the error is below 1 %."""
    good = sizes[error < 0.01]
    if not len(good):
        return f"{name} is nowhere within 1 %"
    if error.max() == 0:
        return f"{name} is exact"
    if len(good) == len(sizes):
        return f"{name} is within {error.max():.1g} everywhere"
    until = "up" if good[-1] == sizes[-1] else f"to {good[-1]:.0e}"
    return f"{name} is within 1 % only from about {good[0]:.0e} {until}"


def _words(value: float) -> str:
    return "infinite" if np.isinf(value) else f"{value:.1e}"
