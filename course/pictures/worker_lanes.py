"""One lane for each process of a cluster: its steps, and where it waits or ends."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, TEXT, name_axes, new_figure
from course.runs.cluster.recording import Beat, ClusterRun, End

HALF = 0.2  # of a lane's bar
BOTTOM = -0.85  # of the lowest lane, with two lines under it
LEAST = 0.02  # of the width: a narrower step gets no number
ENDLESS = ("waited", "running", "halted")
ENDS = {"returned": "is done", "left": "ends by itself", "killed": "is killed"}
GONE = (*ENDS, "raised")
LAST = 20  # moment of a film, counted from 0
SHOWN = 90  # characters of where a process is
WRAPPED = 45  # of them in one line, where two runs stand side by side


@dataclass(frozen=True)
class _Step:
    """A step of one process, in seconds from the cluster's start."""

    number: int
    begin: float
    end: float


def worker_lanes(*runs: ClusterRun, titles: Sequence[str] = ()) -> Picture:
    """Draw what every process did until it ended, or was stopped; as a film, over time.

    Args:
        *runs: one, or two of the same processes side by side, on one scale of time.
            Their processes call `note(step=...)` at the beginning of each step.
        titles: of the runs, where there are two.

    Raises:
        ValueError: there are more than four processes.
    """
    for run in runs:
        if len(run.ends) > len(COLOURS):
            raise ValueError(
                f"worker_lanes draws up to four processes, not {len(run.ends)}"
            )
    figure, axes = new_figure(len(runs), sharex=True, sharey=True)
    starts = [_start(run) for run in runs]
    lasted = [run.seconds - start for run, start in zip(runs, starts, strict=True)]
    longest, titles = max(lasted), titles or [""] * len(runs)
    times = [longest * k / LAST for k in range(LAST + 1)]
    said = [""] * len(times)
    rows = []
    for axis, run, start, title in zip(axes, runs, starts, titles, strict=True):
        _lanes(axis, run, start, times, SHOWN if len(runs) == 1 else WRAPPED)
        within = " (in a bar: the step)" if len(runs) == 1 else ""
        name_axes(axis, f"seconds since the first step{within}", "", title)
        for moment, time in enumerate(times):
            at = start + time
            told = [f"{end.name} {_words(end, at, run.seconds)}" for end in run.ends]
            words = f"{'; '.join(told)}."
            said[moment] += f"{title}: {words} " if title else words
        for end in run.ends:
            row = (
                end.name,
                str(_last(_steps(end, run.seconds))),
                _words(end, run.seconds, run.seconds),
            )
            rows.append((title, *row) if title else row)
    header = ("process", "last step", "at the end")
    header = ("run", *header) if any(titles) else header
    said = [each.strip() for each in said]
    moments = [f"{time:.1f} s" for time in times]
    return Picture(figure, said[-1], header, rows, moments, said)


def _start(run: ClusterRun) -> float:
    """Return when the first step began: before it, the processes only start."""
    begins = [step.begin for end in run.ends for step in _steps(end, run.seconds)]
    return min(begins, default=0.0)


def _lanes(
    axis: Axes, run: ClusterRun, start: float, times: Sequence[float], wide: int
) -> None:
    """Draw one run; a cover hides, at each moment, what comes later."""
    heights = range(len(run.ends) - 1, -1, -1)
    for colour, height, end in zip(COLOURS, heights, run.ends, strict=False):
        _draw(axis, end, height, colour, start, run.seconds)
        words = [_words(end, start + time, run.seconds) for time in times]
        _write(axis, height, [textwrap.fill(each, wide) for each in words])
    right = max(times[-1] * 1.02, 0.1)
    axis.set_xlim(0, right)
    axis.set_ylim(BOTTOM, len(run.ends) - 0.4)
    axis.set_yticks(list(heights), [end.name for end in run.ends])
    axis.spines["left"].set_visible(False)
    axis.tick_params(axis="y", length=0)
    for moment, time in enumerate(times[:-1]):
        cover = Rectangle((time, BOTTOM), right - time, 9, color="white", zorder=4)
        part(axis.add_patch(cover), since=moment, until=moment + 1)


def _write(axis: Axes, height: int, words: Sequence[str]) -> None:
    """Write under a lane where its process is, as long as that does not change."""
    starts = [k for k in range(len(words)) if k == 0 or words[k] != words[k - 1]]
    for since, until in zip(starts, [*starts[1:], None], strict=True):
        written = axis.text(
            0.0, height - HALF - 0.04, words[since], va="top", fontsize=11, zorder=5
        )
        part(written, since=since, until=until)


def _draw(
    axis: Axes, end: End, height: int, colour: str, start: float, seconds: float
) -> None:
    steps = _steps(end, seconds)
    for step in steps:
        waits = step is steps[-1] and end.outcome in ENDLESS and not _left(end, step)
        length = step.end - step.begin
        bar = axis.add_patch(
            Rectangle(
                (step.begin - start, height - HALF),
                length,
                2 * HALF,
                facecolor="white" if waits else colour,
                edgecolor=colour if waits else "white",
                linestyle="--" if waits else "-",
                lw=2.0 if waits else 0.6,
            )
        )
        what = "is not over" if waits else f"takes {length:.1f} s"
        begin = step.begin - start
        part(bar, f"{end.name}, step {step.number}: begins at {begin:.1f} s, {what}")
        if length > LEAST * (seconds - start):
            axis.text(
                begin + length / 2,
                height,
                str(step.number),
                ha="center",
                va="center",
                fontsize=TEXT,
                color="black" if waits else "white",
            )
    if end.outcome in ("left", "killed", "raised") and steps:
        (cross,) = axis.plot(
            [steps[-1].end - start], [height], "X", ms=13, color="black", mec="white"
        )
        part(cross, f"{end.name} {_words(end, seconds, seconds)}")


def _steps(end: End, until: float) -> list[_Step]:
    """Return the steps that had begun by then, the last one until the end."""
    begins: list[tuple[int, float]] = []
    for beat in end.beats:
        number = beat.facts.get("step")
        if number is None or beat.at > until:
            continue
        if not begins or begins[-1][0] != number:
            begins.append((number, beat.at))
    gone = end.outcome in GONE and end.beats
    last = min(end.beats[-1].at, until) if gone else until
    found = []
    for k, (number, begin) in enumerate(begins):
        after = begins[k + 1] if k + 1 < len(begins) else None
        left = [b.at for b in end.beats if b.facts.get("left") == number]
        to = left[0] if left else after[1] if after else last
        found.append(_Step(number, begin, min(to, until)))
    return found


def _left(end: End, step: _Step) -> bool:
    """Return whether the process has come out of a step."""
    return any(beat.facts.get("left") == step.number for beat in end.beats)


def _last(steps: list[_Step]) -> int | None:
    return steps[-1].number if steps else None


def _words(end: End, until: float, seconds: float) -> str:
    """Say where the process is at that moment."""
    beats = [beat for beat in end.beats if beat.at <= until]
    over = until >= seconds or (end.outcome in GONE and len(beats) == len(end.beats))
    if not over or end.outcome == "running":
        return f"is {_place(beats)}" if beats else "has not begun"
    if end.outcome == "halted":
        return f"is halted {_place(beats)}"
    if end.outcome == "waited":
        return f"waits {_place(beats)}"
    if end.outcome == "raised":
        return f"stops with {end.facts.get('failed') or end.error}"
    return ENDS[end.outcome]


def _place(beats: Sequence[Beat]) -> str:
    """Say where the last of these beats is."""
    return _short(beats[-1].place if beats else "in its start")


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
