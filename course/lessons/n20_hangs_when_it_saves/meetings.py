"""Which call of one worker met which call of the other, and what lies in the file."""

from __future__ import annotations

from itertools import zip_longest

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course.lessons.n20_hangs_when_it_saves.saving_job import WEIGHTS, SavedRun
from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, TEXT, new_figure
from course.runs.cluster.recording import End

TOGETHER = ("step", "save")  # what all workers do together; a log concerns nobody else
HIGH, WIDE = 0.38, 0.46  # half of a box
GAP = 0.8  # between the lanes of two runs
SHORT = 7  # columns, above which a step's box holds its number only
LEGEND = (
    "blue: a step; green: a save; hatched: two different calls met; dashed: it waits"
)
IN_IT = ("waited", "running", "halted")  # outcomes of one that is still in a call
ENDS = {  # of one worker, and of several
    "waited": ("waited forever", "waited forever"),
    "halted": ("is halted", "are halted"),
    "killed": ("was killed", "were killed"),
    "raised": ("got an error", "got an error"),
}

Call = tuple[int, str]


def meetings(*runs: SavedRun) -> Picture:
    """Draw the workers' calls as TensorFlow joined them, run above run.

    A box is a step, or a save with its read. Hatched: two different calls met. Dashed:
    a call that waits.
    """
    figure, (axis,) = new_figure()
    names: list[tuple[float, str]] = []
    columns = max(len(joined(run)) for run in runs)
    height = 0.0
    for run in runs:
        for worker in range(run.job.workers):
            _lane(axis, run, worker, height, short=columns > SHORT)
            name = f"worker {worker}"
            names.append((height, f"{run.label}:  {name}" if worker == 0 else name))
            height -= 1
        axis.text(-WIDE, height + 0.12, _words(run), fontsize=TEXT, va="center")
        height -= GAP
    axis.set_xlim(-0.6, columns)
    axis.set_ylim(height + GAP - 0.3, 0.6)
    axis.set_yticks([at for at, _ in names], [name for _, name in names])
    axis.set_xticks([])
    axis.set_xlabel(LEGEND, fontsize=TEXT)
    axis.spines[["left", "bottom"]].set_visible(False)
    axis.tick_params(axis="y", length=0, labelsize=TEXT)
    wide = min(9.6, 2.6 + 0.95 * columns)
    figure.set_size_inches(max(wide, 8.4), 0.75 + 0.44 * (len(names) + len(runs)))
    said = [f"{run.label}: {told(run)}" if len(runs) > 1 else told(run) for run in runs]
    header = ("run", "worker", *(f"meeting {k}" for k in range(columns)), "file")
    rows = [row for run in runs for row in _rows(run, columns)]
    return Picture(figure, " ".join(said), header, rows)


def joined(run: SavedRun) -> list[tuple[Call | None, ...]]:
    """Return each worker's call in each meeting; None: it made no more calls."""
    own = [[each for each in calls if each[1] in TOGETHER] for calls in run.calls()]
    return list(zip_longest(*own))


def told(run: SavedRun) -> str:
    """Describe which calls met, how the workers ended, and what the file contains."""
    calls = joined(run)
    if not calls:
        return "No worker has made a step yet."
    met = next((met for met in calls if len(set(met)) > 1), (None,))
    who = [f"{_name(each)} of worker {k}" for k, each in enumerate(met)]
    said = [] if None in met else [f"{_capital(' met '.join(who))}."]
    for outcome, words in ENDS.items():
        ended = [end.name for end in run.cluster.ends if end.outcome == outcome]
        if ended:
            said.append(f"{_capital(' and '.join(ended))} {words[len(ended) > 1]}.")
    said = said or ["In each meeting, both workers made the same call."]
    return " ".join([*said, _told_file(run)])


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _name(call: Call | None) -> str:
    if call is None:
        return "nothing any more"
    step, name = call
    return f"step {step}" if name == "step" else f"the save after step {step}"


def _lane(
    axis: Axes, run: SavedRun, worker: int, height: float, *, short: bool
) -> None:
    end, met = run.cluster.ends[worker], joined(run)
    last = max((k for k, each in enumerate(met) if each[worker]), default=-1)
    _mark_end(axis, end, last, height)
    for column, calls in enumerate(met):
        call = calls[worker]
        if call is None:
            continue
        waits = end.outcome in IN_IT and column == last
        apart = len(set(calls)) > 1 and not waits
        saves = call[1] == "save"
        box = Rectangle(
            (column - WIDE, height - HIGH),
            2 * WIDE,
            2 * HIGH,
            facecolor="white" if waits or apart else COLOURS[2 if saves else 1],
            edgecolor=COLOURS[0] if apart or waits else "white",
            hatch="//" if apart else None,
            linestyle="--" if waits else "-",
            lw=1.6 if apart or waits else 0.6,
        )
        others = " and ".join(_name(each) for each in calls if each != call)
        says = f"worker {worker}, {_name(call)}"
        if waits:
            says += ": it waits"
        elif apart:
            says += f": it met {others} of the other worker"
        part(axis.add_patch(box), says)
        axis.text(
            column,
            height,
            "save" if saves else f"{call[0]}" if short else f"step {call[0]}",
            ha="center",
            va="center",
            fontsize=TEXT,
            color="black" if waits or apart else "white",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1}
            if apart
            else None,
        )


def _mark_end(axis: Axes, end: End, last: int, height: float) -> None:
    """Put a cross on the last call of one that was killed."""
    if end.outcome == "killed" and last >= 0:
        (cross,) = axis.plot(
            [last + WIDE], [height], "X", ms=13, color="black", mec="white", zorder=5
        )
        part(cross, f"{end.name} is killed")


def _words(run: SavedRun) -> str:
    held, after = run.files.get(WEIGHTS), run.held_after()
    right = _numbers(run.job.truths[-1])
    if held is None:
        there = "weights, incomplete" if WEIGHTS in run.files else "no file weights"
        return f"in the folder: {there}"
    if after is not None:
        return f"in the folder: weights, right after step {after}"
    seen = f"seen = {_numbers(held)}"
    return f"in the folder: weights, {seen} (at the end it should be {right})"


def _numbers(values: np.ndarray) -> str:
    return ", ".join(f"{value:.3g}" for value in values[2:])


def _told_file(run: SavedRun) -> str:
    held, after = run.files.get(WEIGHTS), run.held_after()
    if held is None:
        there = WEIGHTS in run.files
        incomplete = "The file weights is incomplete."
        return incomplete if there else "There is no file weights."
    if after is not None:
        return f"The file weights is right for step {after}."
    right = _numbers(run.job.truths[-1])
    return f"In weights, seen is {_numbers(held)}. At the end it should be {right}."


def _rows(run: SavedRun, columns: int) -> list[tuple[str, ...]]:
    met = joined(run)
    met += [(None,) * run.job.workers] * (columns - len(met))
    return [
        (
            run.label,
            f"worker {worker}",
            *("-" if each[worker] is None else _name(each[worker]) for each in met),
            _words(run),
        )
        for worker in range(run.job.workers)
    ]
