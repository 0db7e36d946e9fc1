"""What two workers read, above what their weights do: apart, and off one device."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.lessons.n13_identical_on_every_worker.worker_training import WorkerRun
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, SEQUENTIAL, TEXT, name_axes

WIDTH, HEIGHT = 9.6, 3.5  # inches
ONE, TWO = 6, 3  # steps whose rows are shown, of one run and of two
HATCH = "////"
LINE = 4  # rows that fit into a line of a box


def worker_reads(*runs: WorkerRun) -> Picture:
    """Draw one or two runs: a grid of rows above two lines.

    Args:
        runs: of two workers each.

    Raises:
        ValueError: not one or two runs, or not of two workers.
    """
    if len(runs) not in (1, 2) or any(run.recording.replicas != 2 for run in runs):
        raise ValueError("worker_reads draws one or two runs, of two workers each")
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained", facecolor="white")
    axes = figure.subplots(
        2, len(runs), height_ratios=(0.85, 2), sharey="row", squeeze=False
    )
    top = max(run.off().max() for run in runs)
    for column, run in enumerate(runs):
        _grid(axes[0, column], run, ONE if len(runs) == 1 else TWO)
        _lines(axes[1, column], run, top, named=column == 0)
    return Picture(
        figure,
        " ".join(map(_sentence, runs)),
        ("run", "step", "worker 0 read", "worker 1 read", "|w0 - w1|", "|w - one|"),
        [row for run in runs for row in _rows(run)],
    )


def _grid(axis: Axes, run: WorkerRun, steps: int) -> None:
    for step, workers in enumerate(run.recording.ids[:steps]):
        for worker, ids in enumerate(workers):
            both = set(ids) & set(workers[1 - worker])
            colour, y = COLOURS[worker], 1 - worker
            for alpha, face in ((0.28, colour), (1.0, "none")):
                axis.add_patch(
                    Rectangle(
                        (step + 0.53, y - 0.44),
                        0.94,
                        0.88,
                        facecolor=face,
                        edgecolor=colour,
                        alpha=alpha,
                        hatch=HATCH if both and face == "none" else None,
                        lw=1.0,
                    )
                )
            axis.text(
                step + 1,
                y,
                _numbers(ids),
                fontsize=11,
                linespacing=1.0,
                ha="center",
                va="center",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
            )
    axis.set(xlim=(0.5, steps + 0.5), ylim=(-0.55, 1.55))
    axis.set_yticks([1, 0], ["worker 0", "worker 1"])
    axis.set_xticks(range(1, steps + 1), [f"step {k}" for k in range(steps)])
    axis.tick_params(labelsize=11, length=0)
    axis.spines[:].set_visible(False)
    axis.set_title(f"{run.label}: rows read", fontsize=TEXT + 0.5, loc="left", pad=4)


def _numbers(ids: Sequence[int]) -> str:
    """The rows of a box, at most four in a line, and at most eight."""
    lines = [" ".join(map(str, ids[at : at + LINE])) for at in range(0, len(ids), LINE)]
    if len(lines) > 2:
        lines[1:] = [f"+ {len(ids) - LINE} more"]
    return "\n".join(lines) or "no row"


def _lines(axis: Axes, run: WorkerRun, top: float, named: bool) -> None:
    off = run.off()
    apart = run.apart()[: len(off)]
    steps = np.arange(len(off))
    axis.plot(steps, off, "-o", color=SEQUENTIAL, ms=3, lw=1.2, zorder=3)
    axis.plot(steps, apart, "--s", color=COLOURS[2], ms=5.5, lw=2.5)
    scale = max(top, 1e-3)
    axis.set_xlim(0, len(off) * 1.34)
    axis.set_ylim(-0.16 * scale, 1.16 * scale)
    axis.set_xticks(range(0, len(off), 6))
    axis.spines[["top", "right"]].set_visible(False)
    axis.spines.bottom.set_bounds(0, len(off) - 1)
    axis.tick_params(labelsize=11)
    if off[-1] < 0.2 * scale:  # both labels would be at the same height
        labels = [(0.0, "each other,\none device", SEQUENTIAL)]
    else:
        labels = [
            (off[-1], "one device", SEQUENTIAL),
            (0.0, "each other", COLOURS[2]),
        ]
    for y, words, colour in labels:
        axis.text(
            len(off) - 0.4, y, words, fontsize=TEXT, color=colour, va="center"
        ).set_in_layout(False)
    name_axes(axis, "step", "largest distance from" if named else "")


def _sentence(run: WorkerRun) -> str:
    apart, off = run.apart().max(), run.off()
    steps = run.reading.steps
    counts = np.zeros(len(run.reading.rows), int)
    for step in run.recording.ids[:steps]:
        for ids in step:
            np.add.at(counts, list(ids), 1)
    twice, never = int((counts > 1).sum()), int((counts == 0).sum())
    reads = (
        f"{twice} rows read more than once, {never} never"
        if twice or never
        else "each row read once"
    )
    return (
        f"{run.label}: in the first {steps} steps {reads}; after {len(off) - 1} steps "
        f"the workers are {apart:.1g} apart, and {off[-1]:.2g} from one device."
    )


def _rows(run: WorkerRun) -> list[tuple[str, ...]]:
    off, apart = run.off(), run.apart()
    return [
        (
            run.label,
            str(step + 1),
            *(", ".join(map(str, ids)) or "none" for ids in workers),
            f"{apart[step + 1]:.2g}",
            f"{off[step + 1]:.2g}",
        )
        for step, workers in enumerate(run.recording.ids[: len(off) - 1])
    ]
