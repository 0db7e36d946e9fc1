"""Lanes of reads and writes, one for each thread, above what the variable holds."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course.lessons.n05_different_every_run.schedules import (
    CALLER,
    Event,
    Interleaving,
    losing,
)
from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, TEXT, name_axes, new_figure

WORDS = {"read": "reads", "write": "writes", "add": "adds", "waits": "waits"}
LEAST = 4  # steps a panel has room for
MANY, WIDER = 8, 10.0  # with more steps than this, the figure is so many inches wide


def lanes(*runs: Interleaving, steps: int = LEAST) -> Picture:
    """Draw one or two runs beside each other.

    Args:
        runs: of `run_schedule`; each with at most eight operations.
        steps: how many there is room for at least.

    Raises:
        ValueError: not one or two runs.
    """
    if len(runs) not in (1, 2):
        raise ValueError(f"lanes draws one or two runs, not {len(runs)}")
    widths = [max(steps, len(run.events)) for run in runs]
    rows = list(range(max(run.threads for run in runs)))
    if any(e.thread == CALLER for run in runs for e in run.events):
        rows.append(CALLER)
    figure, axes = new_figure(len(runs), widths, sharey=True)
    if sum(widths) > MANY:
        figure.set_figwidth(WIDER)
    for axis, run, width in zip(axes, runs, widths, strict=True):
        _draw(axis, run, rows)
        axis.set_xlim(-0.6, width - 0.4)
        axis.set_xticks(range(width), [str(i) for i in range(width)])
        name_axes(axis, "step", "", run.label)
    axes[0].set_ylim(-0.75, len(rows) + 0.5)
    axes[0].set_yticks(
        range(len(rows) + 1), ["variable", *(_name(row) for row in reversed(rows))]
    )
    table = [
        (
            run.label,
            str(step),
            _name(event.thread),
            words.replace("\n", " "),
            f"{held:g}",
        )
        for run in runs
        for step, (event, words, held) in enumerate(_told(run))
    ]
    header = ("run", "step", "thread", "operation", "the variable then holds")
    return Picture(figure, f"{'; '.join(map(_words, runs))}.", header, table)


def _draw(axis: Axes, run: Interleaving, rows: list[int]) -> None:
    lost = losing(run.events)
    axis.spines[["left", "bottom"]].set_visible(False)
    axis.tick_params(length=0)
    for step, (event, words, held) in enumerate(_told(run)):
        height = len(rows) - rows.index(event.thread)
        says = f"step {step}, {_name(event.thread)}: {' '.join(words.split())}"
        if event.kind == "waits":
            says += " for another thread, for example one that holds the lock"
        says += f"; then the variable holds {held:g}"
        _box(axis, step, height, event, words, step in lost, says)
        last = step == len(run.events) - 1
        weight = "bold" if last else "normal"
        _text(axis, step, 0, f"{held:g}", fontsize=TEXT + 3 * last, weight=weight)
    for height in range(1, len(rows) + 1):
        axis.axhline(height, color="#bbbbbb", lw=1, zorder=0)
    if run.final != run.expected and all(run.done):
        end = len(run.events) - 1
        _text(axis, end, -0.5, f"not {run.expected:g}", fontsize=TEXT)


def _told(run: Interleaving) -> list[tuple[Event, str, float]]:
    """Return each event, its words, and what the variable holds after it."""
    told, held, lost = [], run.start, losing(run.events)
    for step, event in enumerate(run.events):
        before = held
        held = event.value if event.kind in ("write", "add") else held
        amount = held - before if event.kind == "add" else event.value
        words = WORDS[event.kind]
        if event.kind != "waits":
            words += f" {amount:g}" if step in lost else f"\n{amount:g}"
        if step in lost:
            words += f"\nloses {lost[step]:g}"
        told.append((event, words, held))
    return told


def _box(
    axis: Axes,
    step: int,
    height: int,
    event: Event,
    words: str,
    lost: bool,
    says: str,
) -> None:
    """Draw one operation; writes are filled, one that loses updates is hatched."""
    colour = COLOURS[event.thread % len(COLOURS)] if event.thread >= 0 else "#555555"
    writes = event.kind in ("write", "add")
    waits = event.kind == "waits"
    box = Rectangle(
        *_frame(step, height),
        facecolor="white" if lost or not writes else colour,
        edgecolor="#777777" if waits else colour,
        linestyle=":" if waits else "-",
        hatch="///" if lost else None,
        lw=1.8,
    )
    axis.add_patch(part(box, says))
    if lost:  # the border once more, above the white behind the words
        axis.add_patch(
            Rectangle(*_frame(step, height), fill=False, ec=colour, lw=1.8, zorder=4)
        )
    _text(
        axis,
        step,
        height,
        words,
        fontsize=11,
        linespacing=1.0,
        color="white" if writes and not lost else "black",
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6} if lost else None,
    )


def _frame(step: int, height: int) -> tuple[tuple[float, float], float, float]:
    return (step - 0.46, height - 0.36), 0.92, 0.72


def _text(axis: Axes, x: float, y: float, words: str, **style: object) -> None:
    axis.text(x, y, words, ha="center", va="center", **style)


def _name(thread: int) -> str:
    return "caller" if thread == CALLER else f"thread {thread}"


def _words(run: Interleaving) -> str:
    losses = [
        f"{_name(run.events[step].thread)}'s write of {run.events[step].value:g} in "
        f"step {step} loses {lost:g}"
        for step, lost in losing(run.events).items()
    ]
    if not all(run.done):
        end = f"the variable holds {run.final:g} so far"
    elif run.final == run.expected:
        end = f"the variable ends at {run.final:g}"
    else:
        end = f"the variable ends at {run.final:g}, not at {run.expected:g}"
    return f"{run.label}: {', '.join([*losses, end])}"
