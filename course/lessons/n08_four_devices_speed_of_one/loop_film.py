"""What the host and each replica did in a run of the loop, as a film."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from course.lessons.n08_four_devices_speed_of_one.switched_loop import (
    HOST,
    STEPS,
    LoopRun,
)
from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, HATCHES, name_axes, new_figure
from course.runs.spans import Span

THICK = 0.72  # height of a bar; lanes are 1 apart
CLOSE = 0.006  # seconds; what begins or ends within them is one moment
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
    longest = max(run.seconds, before.timeline.seconds if before else 0.0)
    axis.set_xlim(-0.005 * longest, 1.01 * longest)
    axis.set_ylim(len(run.lanes) - 0.45, -0.55)
    axis.set_yticks(range(len(run.lanes)), run.lanes)
    axis.tick_params(axis="y", length=0)
    axis.spines.left.set_visible(False)
    times = _moments(run.spans)
    shortest = 0.2 * longest / figure.get_figwidth()  # of a bar with room for a digit
    for span in run.spans:
        _bar(axis, span, run.lanes.index(span.lane), times, shortest)
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


def _moments(spans: tuple[Span, ...]) -> list[float]:
    """Return when something begins or ends, what is close together only once."""
    times: list[float] = []
    for time in sorted(edge for s in spans for edge in (s.begin, s.end)):
        if not times or time > times[-1] + CLOSE:
            times.append(time)
    return times


def _moment(times: list[float], time: float) -> int:
    """Return the number of the moment to which a time belongs."""
    return max(k for k, each in enumerate(times) if each <= time)


def _bar(axis: Axes, span: Span, row: int, times: list[float], shortest: float) -> None:
    """Draw a span: hollow while it goes on, then filled."""
    begins, ends = _moment(times, span.begin), _moment(times, span.end)
    length = span.end - span.begin
    colour, hatch = HOST_LOOKS.get(span.kind) or (COLOURS[row - 1], HATCHES[row - 1])
    edge = "#555555" if span.lane == HOST else "white"
    box = {"xy": (span.begin, row - THICK / 2), "width": length, "height": THICK}
    says = _says(span)
    if ends > begins:
        hollow = Rectangle(**box, fill=False, ec="#555555", ls=":", lw=1.2)
        axis.add_patch(part(hollow, f"{says}, not over yet", begins, ends))
    full = Rectangle(**box, facecolor=colour, hatch=hatch, ec=edge, lw=0.8)
    axis.add_patch(part(full, says, ends))
    if length < shortest or len(span.name) > 1:
        return
    text = axis.text(
        span.begin + length / 2,
        row,
        span.name,
        ha="center",
        va="center",
        fontsize=11,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
    )
    part(text, since=begins)


def _says(span: Span) -> str:
    does = HOST_WORDS.get(span.kind, span.kind)
    step = f"step {span.name}" if span.name.isdigit() else f"at {span.name}"
    return f"{span.lane} {does}, {step}: {span.begin:.2f} to {span.end:.2f} s"


def _before(axis: Axes, before: LoopRun) -> None:
    end = before.timeline.seconds
    line = axis.axvline(end, color="#888888", ls="--", lw=1.4, zorder=0)
    part(line, f"the run before ({before.lines}) ended here, after {end:.2f} s")


def _at(now: LoopRun, time: float) -> str:
    """Say who does what at a moment."""
    going = [s for s in now.timeline.spans if s.begin <= time + CLOSE < s.end]
    host = [HOST_WORDS[s.kind] for s in going if s.lane == HOST]
    replicas = sorted(s.lane.removeprefix("replica ") for s in going if s.lane != HOST)
    several = len(replicas) > 1
    work = f"replica{'s' * several} {', '.join(replicas)} work{'s' * (not several)}"
    return (
        f"At {time:.2f} s: the host {' and '.join(host) or 'goes on'}; "
        f"{work if replicas else 'no replica works'}."
    )
