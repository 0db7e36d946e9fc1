"""Each worker's own work and its all-reduces, step by step, as a film."""

from __future__ import annotations

from matplotlib.patches import Patch

from course.lessons.n16_more_workers_slower_steps.played_steps import (
    OWN,
    WAIT,
    PlayedSteps,
)
from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.span_film import draw_span, going_on, has_room, moments_of
from course.pictures.style import COLOURS, HATCHES, SEQUENTIAL, name_axes, new_figure
from course.runs.spans import Span

LOOKS = {OWN: (COLOURS[2], "", "white"), WAIT: (COLOURS[0], HATCHES[1], "white")}
IDEAL = "ideal"


def step_lanes(now: PlayedSteps, before: PlayedSteps | None = None) -> Picture:
    """Draw the steps; a line says when those of the run before were over.

    The first lane is what `Circumstances.ideal` says.
    """
    lanes = [f"worker {worker}" for worker in now.circumstances.all]
    figure, (axis,) = new_figure()
    figure.set_figheight(1.6 + 0.5 * len(lanes))
    steps, ideal = now.steps, now.circumstances.ideal
    over = before.steps * before.step if before else 0.0
    longest = max(steps * now.step, steps * ideal, over)
    axis.set(xlim=(-0.005 * longest, 1.01 * longest), ylim=(len(lanes) + 0.55, -0.55))
    axis.set_yticks(range(len(lanes) + 1), [IDEAL, *lanes])
    axis.tick_params(axis="y", length=0)
    axis.spines.left.set_visible(False)
    for step in range(steps):
        bar = axis.barh(0, ideal, 0.5, step * ideal, color="white", ec=SEQUENTIAL)[0]
        part(bar, f"step {step} with one all-reduce, and no other cost: {_ms(ideal)}")
    times = moments_of(now.spans)
    for span in now.spans:
        row, named = 1 + lanes.index(span.lane), span.kind == OWN
        named = named and has_room(axis, span)
        draw_span(axis, span, row, times, LOOKS[span.kind], _says(span), named)
    if before:
        line = axis.axvline(over, color="#888888", ls="--", lw=1.4, zorder=0)
        part(line, f"the steps of the run before were over after {_ms(over)}")
    looks = [
        Patch(fc=colour, hatch=hatch, ec=edge, label=kind)
        for kind, (colour, hatch, edge) in LOOKS.items()
    ]
    figure.legend(
        handles=looks, loc="outside upper right", ncols=2, fontsize=11, frameon=False
    )
    dashed = "; dashed: the end of the run before" if before else ""
    name_axes(axis, f"seconds of {steps} steps (own work is a wait){dashed}", "")
    said = [_at(now.spans, time) for time in times[:-1]] + [summary(now)]
    moments = [f"at {1000 * time:.0f} ms" for time in times[:-1]] + ["the end"]
    header = ("worker", "step", "what", "begins", "takes")
    rows = [
        (s.lane, s.name, s.kind, _ms(s.begin), _ms(s.end - s.begin)) for s in now.spans
    ]
    return Picture(figure, said[-1], header, rows, moments, said)


def summary(now: PlayedSteps) -> str:
    """Return a sentence on what a step took and sent, and what it could take."""
    return (
        f"{_job(now)}: a step takes {_ms(now.step)}, with {_messages(now)} at worker "
        "1's link. With one all-reduce and no other cost it would take "
        f"{_ms(now.circumstances.ideal)}."
    )


def describe_run(now: PlayedSteps) -> str:
    """Return one line on a run."""
    ideal = _ms(now.circumstances.ideal)
    return f"{_job(now)}: {_ms(now.step)} a step, ideal {ideal}, {_messages(now)}"


def _job(now: PlayedSteps) -> str:
    c = now.circumstances
    tensors = "1 tensor" if c.tensors == 1 else f"{c.tensors} tensors"
    return f"{now.label}, {c.workers} workers, {tensors}"


def _messages(now: PlayedSteps) -> str:
    return f"{now.messages:g} message{'s' * (now.messages != 1)}"


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms"


def _says(span: Span) -> str:
    length = _ms(span.end - span.begin)
    return f"{span.lane}, step {span.name}: {span.kind}, {length}"


def _at(spans: tuple[Span, ...], time: float) -> str:
    here = [f"{s.lane} in step {s.name}, {s.kind}" for s in going_on(spans, time)]
    return f"At {_ms(time)}: {'; '.join(here) or 'no worker does anything'}."
