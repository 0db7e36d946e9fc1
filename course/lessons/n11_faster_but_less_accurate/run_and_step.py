"""Loss of a run beside that of one device, and what one of its steps takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from course.lessons.n11_faster_but_less_accurate.normalised import losses_of
from course.lessons.n11_faster_but_less_accurate.shared_batches import seen
from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.style import (
    COLOURS,
    HATCHES,
    MARKERS,
    SEQUENTIAL,
    name_axes,
    new_figure,
)
from course.runs.recording import steps_made
from course.runs.workloads import Rows

if TYPE_CHECKING:
    from course.lessons.n11_faster_but_less_accurate.playing import Played

GREY = "#999999"
CEILING = 1.1  # of the first loss: what climbs higher leaves the figure


def draw(now: Played, before: Played | None, rows: Rows) -> Picture:
    """Draw the loss over examples at the left, one step at the right.

    before: another one, drawn thin and grey, or None.
    """
    figure, (left, right) = new_figure(2, ratios=(3, 2))
    lines = _loss(left, now, before, rows)
    names = [line.get_label() for line in lines]
    figure.legend(lines, names, loc="outside upper left", ncols=2, fontsize=11)
    figure.legends[0].set_frame_on(False)
    _step(right, now)
    return Picture(
        figure,
        _sentence(now, rows),
        ("run", "steps", "loss at the end"),
        _table(now, rows),
    )


def _loss(axis: Axes, now: Played, before: Played | None, rows: Rows) -> list:
    """Draw what is compared: the training it comes from, and the one it may equal."""
    top = CEILING * losses_of(now.run, rows)[0]
    made = []
    for one, style in zip(now.alone, ("-", "--"), strict=False):
        look = {"color": SEQUENTIAL, "ls": style, "lw": 1.7, "label": one.label}
        (line,) = axis.plot(seen(one), losses_of(one, rows), **look)
        made.append(part(line, one.label))
    if before is not None:
        loss = losses_of(before.run, rows)
        (line,) = axis.plot(seen(before.run), loss, color=GREY, lw=1, zorder=0)
        part(line, f"the run before: {before.label}")
    look = {"color": COLOURS[1], "marker": MARKERS[1], "mfc": "none", "mew": 1.6}
    every = max(1, now.run.steps // 16)
    loss = losses_of(now.run, rows)
    for k in range(0, now.run.steps + 1, every):
        at = seen(now.run)[k]
        (point,) = axis.plot([at], [loss[k]], ls="", ms=7, **look)
        words = f"after {steps_made(k)}: {at} examples seen, loss {loss[k]:.3g}"
        part(point, words)
    (line,) = axis.plot([], [], ls="", ms=7, label=now.label, **look)
    axis.set(ylim=(0, top), xlim=(-4, seen(now.run)[-1] + 6))
    axis.set_xticks(range(0, seen(now.run)[-1] + 1, len(rows)))
    name_axes(axis, "examples seen", "loss on all rows")
    return [*made, line]


def _step(axis: Axes, now: Played) -> None:
    """Draw the spans of one step: what is fixed, the rows, the exchange."""
    lanes = now.step.lanes
    looks = zip(COLOURS, HATCHES, strict=True)  # as in a timeline
    kinds = dict(zip(("fixed", "rows", "exchange"), looks, strict=False))
    for span in now.step.spans:
        begin = 1000 * (span.begin - now.step.begin)
        length = 1000 * (span.end - span.begin)
        colour, hatch = kinds[span.kind]
        (bar,) = axis.barh(
            lanes.index(span.lane),
            length,
            left=begin,
            height=0.6,
            color=colour,
            hatch=hatch,
            edgecolor="white",
        )
        what = f"{now.share} rows" if span.kind == "rows" else span.kind
        part(bar, f"{span.lane}: {what}, {length:.0f} ms")
    axis.set_yticks(range(len(lanes)), lanes)
    axis.set_ylim(len(lanes) - 0.4, -0.6)
    axis.set_xlim(0, 345)
    milliseconds = 1000 * now.step.seconds
    title = f"1 step: {milliseconds:.0f} ms, {_per_second(now):.0f} rows a second"
    name_axes(axis, "ms (waits); plain: fixed, striped: rows", "", title)


def _per_second(now: Played) -> float:
    return sum(now.run.examples[0]) / now.step.seconds


def _sentence(now: Played, rows: Rows) -> str:
    steps = steps_made(now.run.steps)
    ends = losses_of(now.run, rows)[-1]
    end = f"{ends:.3g}" if np.isfinite(ends) and ends < 1e3 else "without bound"
    return f"After {steps}, the loss of {now.label} is {end}; it {now.verdict}."


def _table(now: Played, rows: Rows) -> list[tuple[str, str, str]]:
    return [
        (name, str(run.steps), f"{losses_of(run, rows)[-1]:.4g}")
        for name, run in (
            (now.label, now.run),
            *((one.label, one) for one in now.alone),
        )
    ]
