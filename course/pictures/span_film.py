"""Bars of a film of spans: hollow while a span goes on, filled once it is over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course.pictures.parts import part
from course.runs.spans import Span

THICK = 0.72  # height of a bar; lanes are 1 apart
CLOSE = 0.006  # seconds; what begins or ends within them is one moment
ROOM = 0.2  # inches that a digit in a bar needs


def moments_of(spans: Iterable[Span]) -> list[float]:
    """Return when something begins or ends, what is close together only once."""
    times: list[float] = []
    for time in sorted(edge for s in spans for edge in (s.begin, s.end)):
        if not times or time > times[-1] + CLOSE:
            times.append(time)
    return times


def going_on(spans: Iterable[Span], time: float) -> list[Span]:
    """Return the spans that go on at a moment."""
    return [s for s in spans if s.begin <= time + CLOSE < s.end]


def has_room(axis: Axes, span: Span) -> bool:
    """Return whether a bar is long enough for its name, which is one digit."""
    low, high = axis.get_xlim()
    second = 0.85 * axis.figure.get_figwidth() / (high - low)
    return len(span.name) < 2 and (span.end - span.begin) * second > ROOM


def _moment(times: Sequence[float], time: float) -> int:
    """Return the number of the moment to which a time belongs."""
    return max(k for k, each in enumerate(times) if each <= time)


def draw_span(
    axis: Axes,
    span: Span,
    row: int,
    times: Sequence[float],
    look: tuple[str, str, str],
    says: str,
    named: bool = True,
) -> None:
    """Draw one bar.

    Args:
        axis: whose limits are set already; rows are 1 apart.
        span: its name, if short, stands in the bar where there is room.
        row: of the axis.
        times: the film's moments, from `moments_of`.
        look: colour, hatch and edge of the filled bar.
        says: what it is.
        named: whether its name may stand in it.
    """
    begins, ends = _moment(times, span.begin), _moment(times, span.end)
    length = span.end - span.begin
    box = {"xy": (span.begin, row - THICK / 2), "width": length, "height": THICK}
    if ends > begins:
        hollow = Rectangle(**box, fill=False, ec="#555555", ls=":", lw=1.2)
        axis.add_patch(part(hollow, f"{says}, not over yet", begins, ends))
    colour, hatch, edge = look
    full = Rectangle(**box, facecolor=colour, hatch=hatch, ec=edge, lw=0.8)
    axis.add_patch(part(full, says, ends))
    if not named or not has_room(axis, span):
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
