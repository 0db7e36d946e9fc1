"""How far the weights of parallel runs end from one device, for some row counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from course.checks.exercises import TOLERANCE
from course.lessons.n00_start_here.fitting import Compared
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, HATCHES, TEXT, name_axes, new_figure


def ends_apart(
    found: Mapping[int, Sequence[Compared]],
    said: Mapping[str, tuple[bool, ...]] | None = None,
) -> Picture:
    """Draw a group of bars for each row count, a bar for each number of devices.

    Args:
        found: rows -> the comparisons, on as many devices in each.
        said: "22 rows" -> what the learner ticked, true for other weights; a cross
            stands where that is wrong.
    """
    figure, (axis,) = new_figure()
    groups = list(found.values())
    devices = [each.devices for each in groups[0]]
    highest = max(each.gaps[-1] for group in groups for each in group)
    crosses = False
    for place, n in enumerate(devices):
        gaps = [group[place].gaps[-1] for group in groups]
        at = np.arange(len(gaps)) + 0.4 * (place - (len(devices) - 1) / 2)
        bars = axis.bar(at, gaps, width=0.36, label=f"{n} devices", color=colour(n))
        for bar in bars:
            bar.set(hatch=HATCHES[n - 1], edgecolor="white")
        for x, gap, rows in zip(at, gaps, found, strict=True):
            ticked = (said or {}).get(f"{rows} rows")
            missed = bool(ticked) and ticked[place] != (gap > TOLERANCE)
            crosses |= missed
            words = f"{size(gap)} ✗" if missed else size(gap)
            axis.text(x, gap + 0.02 * highest, words, fontsize=TEXT, ha="center")
    axis.set_xticks(range(len(found)), [f"{rows} rows" for rows in found])
    axis.set_ylim(0, max(1.4 * highest, 0.05))
    axis.legend(fontsize=TEXT, frameon=False, ncols=len(devices), loc="upper center")
    meaning = " (✗: you predicted the opposite)" if crosses else ""
    title = f"Weights after one epoch{meaning}"
    name_axes(axis, "", "distance from 1 device", title)
    return Picture(figure, _words(groups, devices), *_table(found, devices))


def colour(devices: int) -> str:
    """Return the colour of a run on 2, 3 or 4 devices; one device is black."""
    return COLOURS[devices - 1]


def size(gap: float) -> str:
    """Return a distance as it is written: rounding is no distance."""
    return f"{gap:.3f}" if gap > TOLERANCE else "0"


def same_losses(groups: Sequence[Sequence[Compared]]) -> bool:
    """Whether each run logged the losses of one device, up to rounding."""
    return all(
        np.abs(each.one.loss - each.several.loss).max() < TOLERANCE
        for group in groups
        for each in group
    )


def _words(groups: Sequence[Sequence[Compared]], devices: Sequence[int]) -> str:
    apart = [
        f"{sum(not group[place].agrees for group in groups)} of {len(groups)} runs "
        f"on {n} devices"
        for place, n in enumerate(devices)
    ]
    logged = "the same loss as" if same_losses(groups) else "another loss than"
    return (
        f"Each run logged {logged} one device; {' and '.join(apart)} ended with "
        "other weights."
    )


def _table(found: Mapping, devices: Sequence[int]) -> tuple[Sequence[str], list]:
    header = ("rows", *(f"{n} devices: distance" for n in devices))
    rows = [
        (str(count), *(size(each.gaps[-1]) for each in group))
        for count, group in found.items()
    ]
    return header, rows
