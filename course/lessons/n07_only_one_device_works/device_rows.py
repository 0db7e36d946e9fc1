"""A lane for each device: the multiplications that one step gives it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course.checks.exercises import TOLERANCE
from course.lessons.n07_only_one_device_works.placed_training import PlacedRun
from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, TEXT, name_axes, new_figure
from course.runs.placement import Work
from course.runs.recording import Recording

FORWARD, BACKWARD = COLOURS[1], COLOURS[0]
NARROW = 0.1  # of the longest lane: such a box has its number beside it


def device_rows(
    sequential: Recording, *runs: PlacedRun, there: Sequence[str] = ()
) -> Picture:
    """Draw what each device should multiply in a step, then what it did in each run.

    Args:
        sequential: one device on the same batches.
        runs: one or two runs on the same devices.
        there: the devices that exist; by default those of the runs.

    Raises:
        ValueError: not one or two runs, or of other devices.
    """
    if len(runs) not in (1, 2) or len({run.devices for run in runs}) != 1:
        raise ValueError("device_rows draws one or two runs on the same devices")
    there, batch = there or runs[0].devices, sequential.examples[0][0]
    devices = [device for device in runs[0].devices if device in there]
    ran = [work.ran for run in runs for work in run.works]
    lanes = list(dict.fromkeys([*there, *runs[0].devices, *ran]))
    share = batch // len(devices)
    wanted = [Work(None, d, d, share, way) for d in devices for way in (True, False)]
    panels = [("expected", wanted)] + [(run.label, run.step_works) for run in runs]
    figure, axes = new_figure(len(panels), sharey=True)
    longest = max(_total(works, lane) for _, works in panels for lane in lanes)
    for axis, (title, works) in zip(axes, panels, strict=True):
        _draw(axis, works, lanes, longest)
        name_axes(axis, "rows in one step, both together", "", title)
    known = {*there, *ran}
    names = [lane if lane in known else f"no {lane}" for lane in lanes]
    axes[0].set_yticks(range(len(lanes)), names, fontsize=TEXT)
    axes[0].set_ylim(len(lanes) - 0.4, -0.95)
    _name_colours(axes[0])
    words = "; ".join(_words(sequential, run, lanes) for run in runs)
    table = [
        (title, lane, *(_numbers(works, lane, way) for way in (True, False)))
        for title, works in panels
        for lane in lanes
    ]
    header = ("run", "device", "rows forward", "rows for the gradient")
    return Picture(figure, f"{words}.", header, table)


def _total(works: Sequence[Work], lane: str) -> int:
    return sum(work.rows for work in works if work.ran == lane)


def _draw(axis: Axes, works: Sequence[Work], lanes: list[str], longest: int) -> None:
    axis.spines[["left"]].set_visible(False)
    axis.tick_params(axis="y", length=0)
    axis.set_xlim(0, longest * 1.02)
    for height, lane in enumerate(lanes):
        axis.axhline(height + 0.5, color="#cccccc", lw=1, zorder=0)
        own = sorted((w for w in works if w.ran == lane), key=lambda w: not w.forward)
        start = 0
        for work in own:
            _box(axis, start, height, work, longest)
            start += work.rows
        words = "nothing" if not own else ""
        if any(work.rows < NARROW * longest for work in own):
            words = " + ".join(str(work.rows) for work in own)
        axis.text(start + 0.03 * longest, height, words, fontsize=TEXT, va="center")


def _box(axis: Axes, start: float, height: int, work: Work, longest: int) -> None:
    if work.forward:
        look = {"facecolor": FORWARD, "edgecolor": "white"}
        words = {"color": "white"}
    else:
        look = {"facecolor": "white", "edgecolor": BACKWARD, "hatch": "///"}
        behind = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
        words = {"color": "black", "bbox": behind}
    corner = (start, height - 0.33)
    box = axis.add_patch(Rectangle(corner, work.rows, 0.66, lw=1.2, **look))
    part(box, _told(work))
    if work.rows >= NARROW * longest:
        words |= {"fontsize": TEXT, "ha": "center", "va": "center"}
        axis.text(start + work.rows / 2, height, str(work.rows), **words)


def _told(work: Work) -> str:
    """Say what a box is: whose multiplication, of what, and what it asked for."""
    whose = "" if work.replica is None else f", replica {work.replica}"
    way = "forward" if work.forward else "for the gradient"
    asked = "" if work.asked == work.ran else f"; it asked for {work.asked or 'none'}"
    return f"{work.ran}{whose}: {work.rows} rows {way}{asked}"


def _name_colours(axis: Axes) -> None:
    """Name the two kinds of box above the first lane, in place of a legend."""
    for at, words, colour in (
        (0.0, "filled: forward", FORWARD),
        (0.5, "hatched: gradient", BACKWARD),
    ):
        look = {"fontsize": 11, "color": colour, "va": "top"}
        axis.text(at, 0.985, words, transform=axis.transAxes, **look)


def _numbers(works: Sequence[Work], lane: str, forward: bool) -> str:
    rows = [str(w.rows) for w in works if (w.ran, w.forward) == (lane, forward)]
    return " + ".join(rows) or "none"


def _words(sequential: Recording, run: PlacedRun, lanes: list[str]) -> str:
    busy = [lane for lane in lanes if _total(run.step_works, lane)]
    forward, backward = (
        [_total([w for w in run.step_works if w.forward == way], n) for n in busy]
        for way in (True, False)
    )
    if not busy:
        return f"{run.label}: no multiplication was seen; {_weights(sequential, run)}"
    rows = f"{_amounts(forward)} rows forward and {_amounts(backward)} for the gradient"
    if len(busy) == 1:
        where = f"in a step {busy[0]} multiplies {rows}, the other devices nothing"
    else:
        alike = len(set(forward)) == len(set(backward)) == 1
        where = f"in a step {_join(busy)} {'each ' if alike else ''}multiply {rows}"
    return f"{run.label}: {where}; {_weights(sequential, run)}"


def _weights(sequential: Recording, run: PlacedRun) -> str:
    off = float(np.abs(run.weights - sequential.copies[-1, 0]).max())
    return (
        "all weights equal those of one device"
        if off <= TOLERANCE
        else f"weights differ from those of one device by up to {off:.2g}"
    )


def _amounts(rows: Sequence[int]) -> str:
    return str(rows[0]) if len(set(rows)) == 1 else _join(rows)


def _join(parts: Sequence) -> str:
    words = [str(part) for part in parts]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
