"""Names in a checkpoint joined to names in the program, and what hangs free."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from course.lessons.n19_restored_but_wrong.checkpoint_files import same_bits
from course.lessons.n19_restored_but_wrong.restoring import Restoration
from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, SEQUENTIAL, TEXT, name_axes, new_figure

MOST = 5  # names
FILE, PROGRAM = 0.40, 0.60  # where the lines begin and end, as shares of a panel
FROM_FILE, NOT_FROM_FILE = COLOURS[2], COLOURS[0]
BARS = (("saved", "when saved"), ("after", "after restore"), ("before", "untrained"))


def name_joins(*runs: Restoration, before: Restoration | None = None) -> Picture:
    """Draw one restore beside its losses, or two restores beside each other.

    Args:
        runs: one beside its losses, where it has them, or two; at most five names
            each, the weights the first of the program's.
        before: whose loss stands below those of a single restore, if it has one.

    Raises:
        ValueError: not one or two runs, or too many names.
    """
    rows = max((len(_names(run)) for run in runs), default=0)
    if len(runs) not in (1, 2) or rows > MOST:
        raise ValueError(f"name_joins draws one or two restores of up to {MOST} names")
    figure, axes = new_figure(2, ratios=(1.5, 1) if len(runs) == 1 else None)
    for axis, run in zip(axes, runs, strict=False):
        _joins(axis, run, max(rows, 3))
    if len(runs) == 1:
        _losses(axes[1], runs[0], before)
    return Picture(
        figure,
        " ".join(map(_sentence, runs)),
        ("run", "name", "in the file", "in the program", "after the restore"),
        [row for run in runs for row in _rows(run)],
    )


def _joins(axis: Axes, run: Restoration, rows: int) -> None:
    left, right = FILE + 0.02, PROGRAM - 0.02
    for x, side, title in ((FILE, "right", "file"), (PROGRAM, "left", "program")):
        words = f"in the {title}"
        axis.text(x, -0.75, words, fontsize=TEXT, ha=side, va="center", weight="bold")
    for row, name in enumerate(_names(run)):
        for x, side, held in (
            (FILE, "right", run.stored),
            (PROGRAM, "left", run.after),
        ):
            if name in held:
                look = {"ha": side, "va": "center"}
                mine = held is run.after and run.losses and name == next(iter(held))
                words = f"{name} (the weights)" if mine else name
                axis.text(x, row - 0.18, words, fontsize=TEXT, **look)
                axis.text(x, row + 0.2, _kind(held[name]), fontsize=11, **look)
        if name in run.after and run.restored(name):
            joined = axis.plot(
                (left, right), (row, row), "o-", color=FROM_FILE, lw=2.4, ms=6
            )
            part(joined[0], f"{name} has the value that the file has under this name")
            continue
        begin = left if name in run.stored else right
        end = right if name in run.after else left
        cross = (left + right) / 2
        end = cross if begin == end else end
        dashes = (0, (3, 2))
        axis.plot((begin, end), (row, row), color=NOT_FROM_FILE, lw=1.8, ls=dashes)
        free = axis.plot(cross, row, "X", color=NOT_FROM_FILE, ms=9)
        part(free[0], f"{name} {_why(run, name)}")
    axis.set(xlim=(0, 1), ylim=(rows - 0.4, -1.0), xticks=[], yticks=[])
    axis.axis("off")
    axis.set_title(_title(run), fontsize=TEXT + 0.5, loc="left")


def _why(run: Restoration, name: str) -> str:
    if name not in run.stored:
        return "is in the program only"
    return (
        "is in both, and was not restored"
        if name in run.after
        else ("is in the file only")
    )


def _names(run: Restoration) -> list[str]:
    """All names; those that are on one side only come last."""
    return sorted(
        {*run.stored, *run.after},
        key=lambda name: (name not in run.stored or name not in run.after, name),
    )


def _losses(axis: Axes, run: Restoration, before: Restoration | None) -> None:
    bars = [(run.losses[when], words) for when, words in BARS] if run.losses else []
    if not bars:
        words = "no loss: the weights do not fit\nthe rows, or there is no file"
        axis.text(0.5, 0.5, words, fontsize=TEXT, ha="center", va="center")
        axis.axis("off")
        return
    if before and before.losses:
        bars.append((before.losses["after"], "the turn before"))
    values = [value for value, _ in bars]
    colours = (SEQUENTIAL, COLOURS[1], "white", "#dddddd")[: len(bars)]
    axis.barh(range(len(bars)), values, 0.55, color=colours, edgecolor=SEQUENTIAL)
    for bar, (value, words) in zip(axis.patches, bars, strict=True):
        part(bar, f"{words}: {value:.3g}")
    for row, value in enumerate(values):
        axis.text(
            value + 0.03 * max(values), row, f"{value:.3g}", fontsize=TEXT, va="center"
        )
    axis.set_yticks(range(len(bars)), [words for _, words in bars])
    axis.set(xlim=(0, 1.22 * max(values)), ylim=(len(bars) - 0.4, -0.6))
    name_axes(axis, "mean squared error on all rows", "", "loss")


def _title(run: Restoration) -> str:
    error = f": {run.error.split(':')[0]}" if run.error else ""
    return f"{run.label}{error}"


def _kind(value: np.ndarray) -> str:
    kind = f"{value.dtype} {list(value.shape) if value.shape else ''}".strip()
    if value.size > 2:
        return kind
    return f"{kind} = {', '.join(f'{number:.3g}' for number in value.ravel())}"


def _state(run: Restoration, name: str) -> str:
    if run.restored(name):
        return "the file's value"
    kept = same_bits(run.after[name], run.before[name])
    return "its value from before" if kept else "another value"


def _sentence(run: Restoration) -> str:
    good = [name for name in run.after if run.restored(name)]
    rest = [name for name in run.after if name not in good]
    free = [name for name in run.stored if name not in run.after]
    parts = [f"{_all(good)} came from the file"] if good else []
    not_so = "did not" if good else "did not come from the file"
    parts += [f"{_all(rest)} {not_so}"] if rest else []
    parts += [f"{_all(free)} of the file went nowhere"] if free else []
    error = run.error.split(":")[0]
    ended = f"ended with {error}" if error else "returned without an error"
    said = f"{run.label} {ended}: {', '.join(parts)}"
    if run.losses:
        losses = "; ".join(f"{words} {run.losses[when]:.3g}" for when, words in BARS)
        said += f". Loss: {losses}"
    return f"{said}."


def _all(names: Sequence[str]) -> str:
    *some, last = sorted(names)
    return f"{', '.join(some)} and {last}" if some else last


def _rows(run: Restoration) -> list[tuple[str, ...]]:
    return [
        (
            run.label,
            name,
            _kind(run.stored[name]) if name in run.stored else "not there",
            _kind(run.before[name]) if name in run.after else "not there",
            _state(run, name) if name in run.after else "",
        )
        for name in sorted({*run.stored, *run.after})
    ]
