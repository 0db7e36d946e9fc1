"""The memory of one step, operation by operation, as a film."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from course.lessons.n12_out_of_memory.memory_limit import StepMemory
from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, HATCHES, TEXT, name_axes, new_figure

GREY = "#999999"
KINDS = {  # last word of an event's name -> what the legend says, and the look
    "matmul": ("matmul", COLOURS[0], HATCHES[0]),
    "tanh": ("tanh", COLOURS[1], HATCHES[1]),
    "freed": ("matmul freed", GREY, HATCHES[0]),
    "backward": ("backward", COLOURS[2], HATCHES[2]),
}
MOST_NAMED = 8  # places under the axis


def memory_film(
    now: StepMemory, before: StepMemory | None = None, layers: int = 8
) -> Picture:
    """Draw a bar for what is in use after each operation.

    before: another step, drawn as a thin line. layers: of the network.
    """
    figure, (axis,) = new_figure()
    events = _events(now)
    for index, (name, change, used) in enumerate(events):
        _, colour, hatch = KINDS[name.split()[-1]]
        (bar,) = axis.bar(
            index, used, 0.9, color=colour, hatch=hatch, edgecolor="white", lw=0.4
        )
        part(bar, _told(name, change, used), since=index)
    if now.asked is not None:
        _failed(axis, now, len(events))
    if before is not None and before.used:
        look = {"where": "mid", "color": "#000000", "lw": 0.8, "ls": ":"}
        axis.step(range(len(before.used)), before.used, **look)[0].set_zorder(3)
    tallest = max([1.0, now.peak, now.held + (now.asked or 0), now.limit or 0])
    right = len(events) + 1
    if before is not None:
        tallest = max(tallest, min(before.peak, 2 * tallest))
        right = max(right, min(len(before.used), 2 * right))
    axis.set_ylim(0, 1.2 * tallest)
    axis.set_xlim(-1, right)
    if now.limit is not None:
        axis.axhline(now.limit, color="#000000", lw=1.5, ls="--")
        axis.annotate(
            f"limit {now.limit:g} MB",
            (0, now.limit),
            (4, 3),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            fontsize=TEXT,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )
    _name_places(axis, events)
    _legend(figure, events, before)
    name_axes(axis, "operations in their order", "MB more than at the start")
    moments = [name for name, *_ in events]
    said = [f"{_told(*event)}." for event in events]
    if now.asked is not None:
        moments, said = [*moments, "stopped"], [*said, ""]
    said[-1:] = [sentence(now, layers)]
    rows = [(name, f"{change:+.1f}", f"{used:.1f}") for name, change, used in events]
    header = ("operation", "MB taken", "MB in use")
    return Picture(figure, said[-1], header, rows, moments or ["stopped"], said)


def sentence(now: StepMemory, layers: int) -> str:
    """Describe in one sentence how far the step ran, and its peak."""
    rows = max(now.rows, default=0)
    what = f"{now.label}, {layers} layers, at most {rows:,} rows at a time"
    if now.asked is not None:
        place = now.names[-1].replace(":", ",") if now.names else "the start"
        return f"{what}: it stops after {place}, where {now.failure}."
    place = now.names[int(np.argmax(now.used))].replace(":", ",") if now.used else ""
    return f"{what}: it runs to the end. The peak is {now.peak:.1f} MB, after {place}."


def _events(now: StepMemory) -> list[tuple[str, float, float]]:
    changes = np.diff(now.used, prepend=0.0)
    return list(zip(now.names, changes, now.used, strict=True))


def _told(name: str, change: float, used: float) -> str:
    verb = "takes" if change >= 0 else "gives back"
    name = name.replace(":", ",")
    return f"{name}: {verb} {abs(change):.1f} MB; {used:.1f} MB in use"


def _failed(axis: Axes, now: StepMemory, at: int) -> None:
    look = {"fill": False, "edgecolor": "#000000", "ls": ":", "lw": 1.5}
    (box,) = axis.bar(at, now.asked, 0.9, bottom=now.held, **look)
    part(box, f"asks for {now.asked:.1f} MB more and does not get them", since=at)
    (cross,) = axis.plot(
        [at], [now.held + now.asked], "x", color="#000000", ms=11, mew=3
    )
    part(cross, f"stopped: {now.failure}", since=at)


def _name_places(axis: Axes, events: list[tuple[str, float, float]]) -> None:
    """Name, under the axis, where each call begins; and where one call goes back."""
    names = [name for name, *_ in events]
    calls = [index for index, name in enumerate(names) if name == "layer 1: matmul"]
    places = {index: f"call {number}" for number, index in enumerate(calls, 1)}
    if len(calls) < 2:
        back = (i for i, name in enumerate(names) if name.endswith("backward"))
        places = dict.fromkeys(calls, "forward") | {next(back, 0): "backward"}
        places |= dict.fromkeys(calls, "forward")
    if len(places) > MOST_NAMED:
        places = {}
    axis.set_xticks(list(places), list(places.values()), ha="left")


def _legend(figure, events: list, before: StepMemory | None) -> None:
    there = {name.split()[-1] for name, *_ in events}
    handles = [
        Patch(fc=colour, hatch=hatch, ec="white", label=label)
        for kind, (label, colour, hatch) in KINDS.items()
        if kind in there
    ]
    if before is not None:
        (line,) = figure.axes[0].plot([], [], "k:", lw=1, label="the run before")
        handles.append(line)
    if handles:
        figure.legend(
            handles=handles,
            loc="outside upper left",
            ncols=len(handles),
            fontsize=11,
            frameon=False,
        )
