"""Which stage worked on which micro-batch, on which device, as a film."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from course.lessons.n10_split_model_speed_of_one.pipeline import (
    PipelineRun,
    bubble,
)
from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.span_film import (
    THICK,
    draw_span,
    going_on,
    has_room,
    moments_of,
)
from course.pictures.style import COLOURS, HATCHES, name_axes, new_figure
from course.runs.spans import Span

KINDS = ("forward", "backward")
SHORT = 0.004  # seconds; a pause below is only between two calls


def pipeline_film(now: PipelineRun, before: PipelineRun | None = None) -> Picture:
    """Draw the run, shown moment by moment; a line says when the one before ended."""
    run = now.timeline
    figure, (axis,) = new_figure()
    longest = max(run.seconds, before.timeline.seconds if before else 0.0)
    axis.set_xlim(-0.005 * longest, 1.01 * longest)
    axis.set_ylim(len(run.lanes) - 0.45, -0.55)
    axis.set_yticks(range(len(run.lanes)), run.lanes)
    axis.tick_params(axis="y", length=0)
    axis.spines.left.set_visible(False)
    spans = _from_zero(now)
    times = moments_of(spans)
    named = all(has_room(axis, span) for span in spans)  # some alone would look special
    for row, lane in enumerate(run.lanes):
        own = [span for span in spans if span.lane == lane]
        _outline_idle(axis, own, row, run.seconds, len(times) - 1)
        for span in own:
            look = KINDS.index(span.kind)
            look = (COLOURS[look], HATCHES[look], "white")
            draw_span(axis, span, row, times, look, _says(spans[span], span), named)
    if before:
        end = before.timeline.seconds
        line = axis.axvline(end, color="#888888", ls="--", lw=1.4, zorder=0)
        part(line, f"the run before ({_setting(before)}) ended here, after {end:.2f} s")
    looks = [
        Patch(fc=COLOURS[i], hatch=HATCHES[i], ec="white", label=kind)
        for i, kind in enumerate(KINDS)
    ]
    idle = Patch(fill=False, ec="#555555", ls=":", label="nothing to do")
    figure.legend(
        handles=[*looks, idle],
        loc="outside upper right",
        ncols=3,
        fontsize=11,
        frameon=False,
    )
    dashed = "; dashed: the end of the run before" if before else ""
    numbers = "; numbers: micro-batches" if named and now.pipeline.micro > 1 else ""
    name_axes(axis, f"seconds (the work is a wait){numbers}{dashed}", "")
    said = [_at(spans, time) for time in times[:-1]] + [summary(now)]
    rows = [
        (s.lane, str(spans[s][0]), s.name or "all", s.kind, *_times(s)) for s in spans
    ]
    header = ("device", "stage", "micro-batch", "direction", "begins (s)", "ends (s)")
    moments = [f"at {time:.2f} s" for time in times[:-1]] + ["the end"]
    return Picture(figure, said[-1], header, rows, moments, said)


def summary(now: PipelineRun) -> str:
    """Say how idle the devices were, beside the formula."""
    pipeline, run = now.pipeline, now.timeline
    formula = bubble(pipeline.stages, pipeline.micro)
    working = len(run.lanes) * (1 - run.idle)
    return (
        f"{_setting(now)}: the devices are idle for {run.idle:.0%} of the time; a "
        f"pipeline of equal stages, without any other delay, for {formula:.0%}. On "
        f"average {working:.1f} of {len(run.lanes)} devices work; {run.seconds:.2f} s."
    )


def told(now: PipelineRun) -> str:
    """Say the same in one line."""
    run = now.timeline
    return f"{_setting(now)}: {run.idle:.0%} idle, {run.seconds:.2f} s"


def _setting(now: PipelineRun) -> str:
    pipeline = now.pipeline
    count = f"{pipeline.micro} micro-batches" if pipeline.micro > 1 else "one batch"
    words = [f"{pipeline.stages} stages", count]
    if now.timeline.label.startswith("my_"):
        words.insert(0, now.timeline.label)
    if pipeline.slow is not None:
        words.append(f"stage {pipeline.slow} twice as slow")
    if not pipeline.pinned:
        words.append(f"backward asks for {pipeline.around or 'no device'}")
    return ", ".join(words)


def _from_zero(now: PipelineRun) -> dict[Span, tuple[int, int]]:
    """Return the spans, in order of begin, with times from 0, and what they are of."""
    begin = now.timeline.begin
    return {
        Span(s.lane, s.begin - begin, s.end - begin, s.name, s.kind): now.about[s]
        for s in now.timeline.spans
    }


def _times(span: Span) -> tuple[str, str]:
    return f"{span.begin:.2f}", f"{span.end:.2f}"


def _says(about: tuple[int, int], span: Span) -> str:
    stage, rows = about
    begin, end = (round(1000 * at) for at in (span.begin, span.end))
    which = f"micro-batch {span.name}" if span.name else "the whole batch"
    return (
        f"{span.lane}: stage {stage} {span.kind}, {which} ({rows} rows), {begin} to "
        f"{end} ms"
    )


def _outline_idle(
    axis: Axes, spans: list[Span], row: int, seconds: float, last: int
) -> None:
    """Draw a dotted box wherever a device had nothing to do, at the end of the film."""
    at = 0.0
    for begin, end in [*((s.begin, s.end) for s in spans), (seconds, seconds)]:
        if begin - at > SHORT:
            box = Rectangle(
                (at, row - THICK / 2),
                begin - at,
                THICK,
                fill=False,
                ec="#555555",
                ls=":",
                lw=1.2,
            )
            words = f"nothing to do for {1000 * (begin - at):.0f} ms"
            axis.add_patch(part(box, words, since=last))
        at = max(at, end)


def _at(spans: dict[Span, tuple[int, int]], time: float) -> str:
    going = going_on(spans, time)
    if not going:
        return f"At {time:.2f} s: no device works."
    words = [
        f"stage {spans[s][0]} {s.kind}" + (f" ({s.name})" if s.name else "")
        for s in sorted(going, key=lambda span: span.lane)
    ]
    return f"At {time:.2f} s: {', '.join(words)}."
