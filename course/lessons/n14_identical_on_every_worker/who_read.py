"""Which worker reads which row in which step, above what the weights show of it."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.checks.exercises import TOLERANCE
from course.lessons.n14_identical_on_every_worker.worker_training import WorkerRun
from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, SEQUENTIAL, TEXT, name_axes, spread

WIDTH, HEIGHT = 9.6, 3.5  # inches
HATCH = "////"
GAP = 0.35  # under one device, for the mark of a row that nobody reads


def who_read(run: WorkerRun) -> Picture:
    """Draw the first epoch as a film: a box for a row, in it the step that read it.

    A box is filled where one device reads the row in the same step, hatched where the
    row is read a second time.
    """
    workers = run.recording.replicas
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained", facecolor="white")
    grid, lines = figure.subplots(
        2, 1, height_ratios=((workers + 1) * 0.55, 3.2 - (workers + 1) * 0.45)
    )
    epoch, one = run.epochs()[0], run.sequential[0]
    _grid(grid, run, epoch, one)
    _lines(lines, run, len(epoch))
    said = [_said(run, epoch[: step + 1], step) for step in range(len(epoch))]
    return Picture(
        figure,
        said[-1],
        ("step", *(f"worker {w} read" for w in range(workers)), "one device read"),
        [
            (
                str(step),
                *(_listed(ids) for ids in read),
                _listed(one[step]) if step < len(one) else "",
            )
            for step, read in enumerate(epoch)
        ],
        moments=[f"step {step}" for step in range(len(epoch))],
        said=said,
    )


def _grid(axis: Axes, run: WorkerRun, epoch: list, one: list) -> None:
    workers, rows = run.recording.replicas, len(run.reading.rows)
    step_of = {row: step for step, ids in enumerate(one) for row in ids}
    for row, step in step_of.items():
        says = f"one device, row {row}"
        _box(axis, row, workers + GAP, SEQUENTIAL, step, True, False, says)
    seen: Counter[int] = Counter()
    for step, read in enumerate(epoch):
        for worker, ids in enumerate(read):
            for row in ids:
                same, again = step_of[row] == step, bool(seen[row])
                says = f"worker {worker}, row {row}"
                line, colour = workers - 1 - worker, COLOURS[worker]
                _box(axis, row, line, colour, step, same, again, says)
                seen[row] += 1
    at = workers - 0.5 + GAP / 2
    for row in range(rows):
        if not seen[row]:
            cross = axis.text(row, at, "\N{MULTIPLICATION SIGN}", fontsize=TEXT + 1)
            cross.set(ha="center", va="center", weight="bold")
            part(cross, f"row {row}: no worker reads it", since=len(epoch) - 1)
    axis.set_xlim(-0.6, rows - 0.4)
    axis.set_ylim(-0.55, workers + GAP + 0.55)
    axis.set_xticks(range(rows), [str(row) for row in range(rows)])
    axis.xaxis.tick_top()
    names = [f"worker {w}" for w in reversed(range(workers))]
    axis.set_yticks([*range(workers), workers + GAP], [*names, "one device"])
    axis.tick_params(labelsize=11, length=0)
    axis.spines[:].set_visible(False)
    axis.set_title(
        f"{run.label}: which row is read in which step of the first epoch",
        fontsize=TEXT + 0.5,
        loc="left",
    )


def _box(
    axis: Axes,
    row: int,
    line: float,
    colour: str,
    step: int,
    filled: bool,
    again: bool,
    says: str,
) -> None:
    says += f": step {step}"
    says += "" if filled else ", not as on one device"
    says += ", read before in this epoch" if again else ""
    face = (*to_rgb(colour), 0.3) if filled else "white"
    box = Rectangle(
        (row - 0.45, line - 0.42),
        0.9,
        0.84,
        facecolor=face,
        edgecolor=colour,
        hatch=HATCH if again else None,
        lw=1.3,
    )
    axis.add_patch(part(box, says, since=step))
    number = axis.text(row, line, str(step), fontsize=TEXT, ha="center", va="center")
    if again:
        number.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.6})
    part(number, since=step)


def _lines(axis: Axes, run: WorkerRun, steps: int) -> None:
    off = run.off()
    apart = run.apart()[: len(off)]
    at = np.arange(len(off))
    top = 1.0 if off.max() < TOLERANCE else off.max()
    axis.plot(at, off, "-o", color=SEQUENTIAL, ms=4, lw=1.4, zorder=3)
    axis.plot(at, apart, "--s", color=COLOURS[2], ms=6, lw=2.5)
    labels = {"from one device": off[-1], "from each other": 0.0}
    if off[-1] < TOLERANCE:
        labels = {"from each other and from one device": 0.0}
    places = spread(list(labels.values()), 0.2 * top, 0.0, top)
    for words, y in zip(labels, places, strict=True):
        axis.text(at[-1] + 0.25, y, words, fontsize=TEXT, va="center")
    axis.set_xlim(-0.3, at[-1] * 1.42)
    axis.set_ylim(-0.18 * top, 1.18 * top)
    axis.set_xticks(at)
    axis.spines[["top", "right"]].set_visible(False)
    axis.spines.bottom.set_bounds(0, at[-1])
    axis.tick_params(labelsize=11)
    name_axes(axis, "steps made", "distance")


def _said(run: WorkerRun, epoch: list, step: int) -> str:
    counts = Counter(chain(*chain(*epoch)))
    twice = sum(count > 1 for count in counts.values())
    rows, one = len(run.reading.rows), run.sequential[0]
    last = len(epoch) == run.lengths[0]
    read = f"{len(counts)} of {rows} rows have been read, {twice} of them again"
    here = sorted(chain(*epoch[-1]))
    same = step < len(one) and here == sorted(one[step])
    words = "the rows of one device" if same else "not the rows of one device"
    said = f"{run.label}, step {step}: {words}; {read}."
    if not last:
        return said
    apart, off = run.apart().max(), run.off()
    never = f" {rows - len(counts)} rows are never read." if len(counts) < rows else ""
    return (
        f"{said}{never} After {len(off) - 1} steps the workers are {apart:.1g} from "
        f"each other, and {off[-1]:.1g} from one device."
    )


def _listed(ids: list[int]) -> str:
    return ", ".join(map(str, ids)) or "none"
