"""A timeline: what went on in which lane, when; runs side by side on one time axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, HATCHES, TEXT, name_axes, new_figure
from course.runs.spans import Span, Timeline

MOST = 4  # runs in one figure
THICK = 0.72  # height of a bar; lanes are 1 apart
CHARACTER = 0.15  # inches, of a name in a bar


def timeline(
    *runs: Timeline,
    waits: bool = True,
    idle: bool = False,
    tell: Callable[[Timeline], str] | None = None,
    sentence: str | None = None,
    kinds: Sequence[str] = (),
) -> Picture:
    """Draw one to four runs side by side; all share lanes and the length of a second.

    Args:
        runs: with the same lanes.
        waits: the work was a wait; the time axis says so.
        idle: outline the time in which a lane had nothing to do.
        tell: what stands above a run, under its label; how many spans went on at the
            same time, if not given.
        sentence: what the figure shows; one made of labels and `tell`, if not given.
        kinds: those that look alike in several figures, in the same order in each.

    Raises:
        ValueError: not one to four runs, or their lanes differ.
    """
    if not 1 <= len(runs) <= MOST:
        raise ValueError(f"timeline draws one to {MOST} runs, not {len(runs)}")
    if len({run.lanes for run in runs}) > 1:
        raise ValueError(
            f"the runs need the same lanes, not {[run.lanes for run in runs]}"
        )
    tell = tell or _at_once
    lanes, longest = runs[0].lanes, max(run.seconds for run in runs) or 1.0
    drawn = dict.fromkeys(s.kind for run in runs for s in run.spans if s.kind)
    kinds = list(dict.fromkeys([*kinds, *drawn]))
    figure, axes = new_figure(len(runs), sharey=True)
    for axis, run in zip(axes, runs, strict=True):
        inches = figure.get_figwidth() * 0.85 / len(runs) / longest
        _draw(axis, run, kinds, inches)
        if idle:
            _outline_idle(axis, run)
        axis.locator_params(axis="x", nbins=8 // len(runs) + 1)
        axis.set_xlim(-0.01 * longest, 1.02 * longest)
        name_axes(axis, "", "", f"{run.label}\n{tell(run)}")
    axes[0].set_ylim(len(lanes) - 0.4, -0.6)
    axes[0].set_yticks(range(len(lanes)), lanes)
    note = "seconds (the work is a wait)" if waits else "seconds"
    figure.supxlabel(note, fontsize=TEXT)
    if len(drawn) > 1:
        looks = {kind: at for at, kind in enumerate(kinds) if kind in drawn}
        _name_kinds(figure, looks)
    words = "; ".join(f"{run.label}: {tell(run)}" for run in runs)
    table = [
        (run.label, s.lane, " ".join(filter(None, (s.kind, s.name))), *_times(run, s))
        for run in runs
        for s in run.spans
    ]
    header = ("run", "lane", "work", "begins (s)", "ends (s)")
    return Picture(figure, sentence or f"{words}.", header, table)


def _at_once(run: Timeline) -> str:
    return f"at most {run.most_at_once} at once, {run.seconds:.2f} s"


def _times(run: Timeline, span: Span) -> tuple[str, str]:
    return f"{span.begin - run.begin:.2f}", f"{span.end - run.begin:.2f}"


def _draw(axis: Axes, run: Timeline, kinds: list[str], inches: float) -> None:
    """Draw each span as a bar; `inches` is the length of a second."""
    axis.spines.left.set_visible(False)
    axis.tick_params(axis="y", length=0)
    for row in range(len(run.lanes)):
        axis.axhline(row, color="#cccccc", lw=1, zorder=0)
    # some names among bars that are too short for theirs would look special
    short = {span.lane for span in run.spans if not _has_room(span, inches)}
    for span in run.spans:
        row = run.lanes.index(span.lane)
        look = kinds.index(span.kind) if span.kind else row
        part(axis.add_patch(_bar(run, span, row, look)), _says(run, span))
        if span.name and span.lane not in short:
            axis.text(
                (span.begin + span.end) / 2 - run.begin,
                row,
                span.name,
                ha="center",
                va="center",
                fontsize=11,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
            )


def _says(run: Timeline, span: Span) -> str:
    """Say what a bar is: its lane, the work, and when."""
    what = " ".join(filter(None, (span.kind, span.name)))
    begin, end = _times(run, span)
    return f"{span.lane}: {what or 'work'}, {begin} s to {end} s"


def _has_room(span: Span, inches: float) -> bool:
    return CHARACTER * len(span.name) < (span.end - span.begin) * inches


def _bar(run: Timeline, span: Span, row: int, look: int) -> Rectangle:
    return Rectangle(
        (span.begin - run.begin, row - THICK / 2),
        span.end - span.begin,
        THICK,
        facecolor=COLOURS[look % len(COLOURS)],
        hatch=HATCHES[look % len(HATCHES)],
        edgecolor="white",
        lw=1.0,
    )


def _outline_idle(axis: Axes, run: Timeline) -> None:
    """Draw an empty dashed box wherever a lane had nothing to do."""
    for row, lane in enumerate(run.lanes):
        at = run.begin
        spans = [(s.begin, s.end) for s in run.spans if s.lane == lane]
        for begin, end in [*spans, (run.begin + run.seconds,) * 2]:
            if begin - at > 0.01 * run.seconds:
                axis.add_patch(
                    Rectangle(
                        (at - run.begin, row - THICK / 2),
                        begin - at,
                        THICK,
                        fill=False,
                        edgecolor="#555555",
                        linestyle=":",
                        lw=1.2,
                    )
                )
            at = max(at, end)


def _name_kinds(figure, looks: Mapping[str, int]) -> None:
    patches = [
        Patch(facecolor=COLOURS[i], hatch=HATCHES[i], edgecolor="white", label=kind)
        for kind, i in looks.items()
    ]
    figure.legend(
        handles=patches,
        loc="outside upper right",
        ncols=len(patches),
        fontsize=11,
        frameon=False,
    )
