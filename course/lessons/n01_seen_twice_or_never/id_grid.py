"""Id grids: which replica was given which row, in which step, and how often."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.lessons.n01_seen_twice_or_never.epochs import Epoch
from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, SEQUENTIAL, TEXT, WIDTH

LANE = 0.218  # inches for one lane of cells
AROUND = 0.6  # inches for the row numbers below and the edge above
HEADING = 0.23  # inches for a title
SMALL_TEXT = 11.0
PALE = 0.28  # share of its colour in a cell, so that black numbers can be read on it
HATCH = "////"


def id_grid(sequential: Epoch, *epochs: Epoch) -> Picture:
    """Draw one device above the replicas of one run, or of two runs on the same rows.

    A column is a row of data, a lane a replica; the number in a cell is the step.

    Args:
        sequential: one replica.
        epochs: one or two runs, at most four replicas each.

    Raises:
        ValueError: not one or two runs, or another number of rows.
    """
    if len(epochs) not in (1, 2) or any(e.rows != sequential.rows for e in epochs):
        raise ValueError(f"give one or two runs on the same {sequential.rows} rows")
    lanes = [len(_lanes(e)) + 1 for e in epochs]
    lanes[0] += 1
    height = LANE * sum(lanes) + HEADING * len(epochs) + AROUND
    figure = Figure(figsize=(WIDTH, height), layout="constrained", facecolor="white")
    axes = figure.subplots(
        len(epochs), 1, sharex=True, height_ratios=lanes, squeeze=False
    )[:, 0]
    for axis, epoch in zip(axes, epochs, strict=True):
        _draw(axis, epoch, above=sequential if axis is axes[0] else None)
        title = epoch.label + (" (top row: one device)" if axis is axes[0] else "")
        axis.set_title(title, fontsize=TEXT + 0.5, loc="left", pad=4)
    axes[-1].set_xlabel("row (the number in a cell is the step, from 0)", fontsize=TEXT)
    words = "; ".join(words_of(sequential, epoch) for epoch in epochs)
    return Picture(figure, f"{words}.", *_table((sequential, *epochs)))


def _lanes(epoch: Epoch) -> list[list[tuple[int, int]]]:
    """Return for each replica its (row, step) pairs."""
    found: list[list[tuple[int, int]]] = [[] for _ in range(max(epoch.replicas, 1))]
    for step, shards in enumerate(epoch.ids):
        for lane, shard in zip(found, shards, strict=True):
            lane += [(row, step) for row in shard]
    return found


def _draw(axis: Axes, epoch: Epoch, above: Epoch | None) -> None:
    times = epoch.times_seen().sum(axis=0)
    own = [(f"replica {r}", lane) for r, lane in enumerate(_lanes(epoch))]
    if epoch.replicas == 1:
        own = [("one device", own[0][1])]
    if above is not None:
        own.insert(0, ("one device", _lanes(above)[0]))
    for y, (name, lane) in enumerate(own):
        single = name == "one device"
        colour = SEQUENTIAL if single else COLOURS[int(name[-1])]
        for row, steps in _joined(lane).items():
            # the lane of one device above is never a repeat of the replicas' rows
            repeated = times[row] > 1 and not (single and above is not None)
            cell = _cell(axis, row, y, steps, colour, repeated)
            part(cell, f"{name}, {_steps(steps)}: row {row}")
    for row, count in enumerate(times):
        _count(axis, row, len(own), int(count))
    names = [*(name for name, _ in own), "times seen"]
    axis.set(xlim=(-0.6, epoch.rows - 0.4), ylim=(len(own) + 0.55, -0.55))
    axis.set_yticks(range(len(names)), names)
    axis.set_xticks(range(epoch.rows))
    axis.tick_params(labelsize=SMALL_TEXT, length=0)
    axis.spines[:].set_visible(False)


def _joined(lane: Sequence[tuple[int, int]]) -> dict[int, list[int]]:
    """Return row -> the steps in which it came."""
    steps: dict[int, list[int]] = {}
    for row, step in lane:
        steps.setdefault(row, []).append(step)
    return steps


def _steps(steps: Sequence[int]) -> str:
    each = dict.fromkeys(steps)
    return f"step{'s' if len(each) > 1 else ''} {', '.join(map(str, each))}"


def _box(axis: Axes, x: int, y: int, **style: object) -> Rectangle:
    return axis.add_patch(Rectangle((x - 0.46, y - 0.44), 0.92, 0.88, **style))


def _cell(
    axis: Axes, x: int, y: int, steps: Sequence[int], colour: str, repeated: bool
) -> Rectangle:
    hatch = HATCH if repeated else ""
    # without alpha: the mark of a part that is pointed at would show through
    pale = 1 - PALE * (1 - np.array(to_rgb(colour)))
    cell = _box(axis, x, y, fc=pale, ec=colour, lw=1.0, hatch=hatch)
    words = f"{steps[0]}+" if len(steps) > 1 else f"{steps[0]}"
    _write(axis, x, y, words, repeated)
    return cell


def _count(axis: Axes, x: int, y: int, count: int) -> None:
    dashes = "-" if count else (0, (2, 1.5))
    wide = 0 if count == 1 else 1.4
    box = _box(axis, x, y, fc="white", ec=SEQUENTIAL, lw=wide, ls=dashes)
    part(box, f"row {x}: seen {count} time{'' if count == 1 else 's'} in the epoch")
    _write(axis, x, y, f"{count}×", False, "normal" if count == 1 else "bold")


def _write(
    axis: Axes, x: int, y: int, words: str, boxed: bool, weight: str = "normal"
) -> None:
    box = {"facecolor": "white", "edgecolor": "none", "pad": 0.6} if boxed else None
    axis.text(
        x,
        y,
        words,
        fontsize=SMALL_TEXT,
        ha="center",
        va="center_baseline",
        weight=weight,
        bbox=box,
    )


def words_of(sequential: Epoch, epoch: Epoch) -> str:
    """Return what an epoch is, without a full stop: which rows came twice, or never."""
    times = epoch.times_seen().sum(axis=0)
    said = [f"stopped after {len(epoch.ids)} steps"] if epoch.cut else []
    often, never = np.flatnonzero(times > 1), np.flatnonzero(times == 0)
    if len(often):
        up_to = "up to " if len(set(times[often])) > 1 else ""
        said.append(f"{_rows(often, epoch.rows)} seen {up_to}{times.max()} times")
    if len(never):
        said.append(f"{_rows(never, epoch.rows)} never seen")
    if not said:
        first, second = sequential.times_seen(), epoch.times_seen()
        if first.shape == second.shape and (first == second).all():
            said.append("each row once, in the same step as on one device")
        elif len(first) == len(second):
            said.append("each row once, but not in the step of one device")
        else:
            steps = f"{len(epoch.ids)} step{'s' if len(epoch.ids) > 1 else ''}"
            said.append(f"each row once, but in {steps} instead of {len(first)}")
    without = [str(r) for r, lane in enumerate(_lanes(epoch)) if not lane]
    if without:
        who = f"replica{'s' if len(without) > 1 else ''} {', '.join(without)}"
        said.append(f"no row for {who}")
    return f"{epoch.label}: {', '.join(said)}"


def _rows(rows: np.ndarray, all_rows: int) -> str:
    if len(rows) == all_rows:
        return f"all {all_rows} rows"
    if len(rows) > 5:
        return f"{len(rows)} of {all_rows} rows"
    return f"row{'s' if len(rows) > 1 else ''} {', '.join(map(str, rows))}"


def _table(epochs: Sequence[Epoch]) -> tuple[Sequence[str], list[tuple[str, ...]]]:
    rows = [
        (epoch.label, str(step), str(replica), ", ".join(map(str, shard)) or "none")
        for epoch in epochs
        for step, shards in enumerate(epoch.ids)
        for replica, shard in enumerate(shards)
    ]
    return ("run", "step", "replica", "rows"), rows
