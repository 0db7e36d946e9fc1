"""What the host and each replica did in a run of the loop, as a film."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from course.lessons.n09_four_devices_speed_of_one.switched_loop import (
    HOST,
    STEPS,
    LoopRun,
)
from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.span_film import draw_span, going_on, moments_of
from course.pictures.style import COLOURS, HATCHES, name_axes, new_figure
from course.runs.spans import Span, Timeline

# what the host does -> colour and hatch; none of them is a replica's
HOST_LOOKS = {
    "prepares": ("#DDDDDD", ""),
    "traces": ("#000000", ""),
    "calls": ("#FFFFFF", ""),
    "reads": ("#FFFFFF", "|||"),
}
HOST_WORDS = {
    "prepares": "prepares the next batch",
    "traces": "makes a graph",
    "calls": "is in the call",
    "reads": "waits for a value",
}


def loop_film(now: LoopRun, before: LoopRun | None = None) -> Picture:
    """Draw the run, shown moment by moment; a line says when the one before ended."""
    run = now.timeline
    figure, (axis,) = new_figure()
    longest = max(_end(run), _end(before.timeline) if before else 0.0)
    axis.set_xlim(-0.005 * longest, 1.01 * longest)
    axis.set_ylim(len(run.lanes) - 0.45, -0.55)
    axis.set_yticks(range(len(run.lanes)), run.lanes)
    axis.tick_params(axis="y", length=0)
    axis.spines.left.set_visible(False)
    times = moments_of(run.spans)
    for span in run.spans:
        row = run.lanes.index(span.lane)
        draw_span(axis, span, row, times, _look(span, row), _says(span))
    if before:
        _before(axis, before)
    looks = [
        Patch(fc=colour, hatch=hatch, ec="#555555", label=HOST_WORDS[kind])
        for kind, (colour, hatch) in HOST_LOOKS.items()
    ]
    figure.legend(
        handles=looks, loc="outside upper right", ncols=4, fontsize=11, frameon=False
    )
    dashed = "; dashed: the end of the run before" if before else ""
    name_axes(
        axis, f"seconds (work and preparing are waits); numbers: steps{dashed}", ""
    )
    said = [_at(now, time) for time in times[:-1]] + [summary(now)]
    rows = [
        (s.lane, s.name, s.kind, f"{s.begin:.2f}", f"{s.end:.2f}") for s in run.spans
    ]
    header = ("lane", "step", "what", "begins (s)", "ends (s)")
    moments = [f"at {time:.2f} s" for time in times[:-1]] + ["the end"]
    return Picture(figure, said[-1], header, rows, moments, said)


def summary(now: LoopRun) -> str:
    """Say what a run came to."""
    prints = f", {now.printed} prints by Python" if now.lines.prints else ""
    return (
        f"{now.lines}: at most {now.at_once} of 4 replicas at work at the same time; "
        f"in {STEPS} steps {_number(now.traces, 'trace')} and "
        f"{_number(now.reads, 'read')}{prints}; {now.timeline.seconds:.2f} s."
    )


def told(now: LoopRun) -> str:
    """Say the same in one line."""
    prints = f", {now.printed} prints" if now.lines.prints else ""
    return (
        f"{now.lines}: {now.at_once} of 4 at the same time; "
        f"{_number(now.traces, 'trace')}, {_number(now.reads, 'read')}{prints}; "
        f"{now.timeline.seconds:.2f} s"
    )


def _number(count: int, name: str) -> str:
    return f"{count} {name}{'' if count == 1 else 's'}"


def _look(span: Span, row: int) -> tuple[str, str, str]:
    if span.lane == HOST:
        return *HOST_LOOKS[span.kind], "#555555"
    return COLOURS[row - 1], HATCHES[row - 1], "white"


def _says(span: Span) -> str:
    does = HOST_WORDS.get(span.kind, span.kind)
    step = f"step {span.name}" if span.name.isdigit() else f"at {span.name}"
    return f"{span.lane} {does}, {step}: {span.begin:.2f} to {span.end:.2f} s"


def _end(run: Timeline) -> float:
    return run.begin + run.seconds


def _before(axis: Axes, before: LoopRun) -> None:
    end = _end(before.timeline)
    line = axis.axvline(end, color="#888888", ls="--", lw=1.4, zorder=0)
    part(line, f"the run before ({before.lines}) ended here, after {end:.2f} s")


def _at(now: LoopRun, time: float) -> str:
    """Say who does what at a moment."""
    going = going_on(now.timeline.spans, time)
    host = [HOST_WORDS[s.kind] for s in going if s.lane == HOST]
    replicas = sorted(s.lane.removeprefix("replica ") for s in going if s.lane != HOST)
    several = len(replicas) > 1
    work = f"replica{'s' * several} {', '.join(replicas)} work{'s' * (not several)}"
    return (
        f"At {time:.2f} s: the host {' and '.join(host) or 'goes on'}; "
        f"{work if replicas else 'no replica works'}."
    )
