"""The step counter of jobs over time: a process is lost, and the job falls back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course.lessons.n18_job_dies_with_one_process.lost_processes import (
    STEPS,
    Life,
    LostRun,
)
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, name_axes, new_figure

MOST = 3  # panels
LABEL = 11  # points
NEAR = 1e-5


def step_counter(*runs: LostRun) -> Picture:
    """Draw the steps that jobs began, over time, in a panel for each job.

    Args:
        *runs: one to three; what a job did again is hatched.

    Raises:
        ValueError: there are none, or more than three.
    """
    if not 0 < len(runs) <= MOST:
        raise ValueError(
            f"step_counter draws one to {MOST} jobs, not {len(runs)}; call it again "
            "for the others"
        )
    figure, axes = new_figure(len(runs), sharey=True, sharex=True)
    longest = max(run.log[-1][0] - run.log[0][0] if run.log else 0.0 for run in runs)
    longest = max(longest, 0.1)
    rows = []
    for axis, run, colour in zip(axes, runs, COLOURS, strict=False):
        _draw(axis, run, colour)
        y = "step that begins" if axis is axes[0] else ""
        name_axes(axis, "seconds since the first step", y, run.label)
        axis.set_xlim(-0.03 * longest, longest * 1.05)
        axis.set_ylim(-2, STEPS * 1.62)
        axis.set_yticks(range(0, STEPS + 1, 10))
        lost, again, end = ", ".join(_lost(run)), _again(run), ", ".join(_end(run))
        rows.append((run.label, lost or "nothing", str(again), end))
    header = ("job", "lost", "steps begun again", "end")
    return Picture(figure, _what_to_look_at(runs), header, rows)


def _what_to_look_at(runs: Sequence[LostRun]) -> str:
    words = "Each line is the step counter of a job."
    if any(map(_lost, runs)):
        words = "Look at each line after the cross: it goes on, ends or falls back."
    if any(map(_again, runs)):
        words += " Hatched: steps that are begun a second time."
    return words


def _draw(axis: Axes, run: LostRun, colour: str) -> None:
    start = run.log[0][0] if run.log else 0.0
    for life, following in pairwise([*run.lives, None]):
        seconds = [at - start for at, _ in life.begun]
        steps = [step for _, step in life.begun]
        axis.plot(seconds, steps, color=colour, lw=2.6, drawstyle="steps-post")
        if life.lost is not None and life.begun:
            axis.plot(
                [life.lost[0] - start],
                [_step_at(life)],
                marker="x",
                ms=11,
                mew=2.4,
                color="black",
                zorder=3,
            )
        if following is not None and life.begun and following.begun:
            _fall(axis, life, following, start, colour)
    texts = [f"✕ {name}" for name in _lost(run)] + _end(run)
    if _again(run):
        texts.insert(1, f"▨ {_again(run)} begun again")
    axis.text(
        0.02,
        0.98,
        "\n".join(texts),
        transform=axis.transAxes,
        ha="left",
        va="top",
        fontsize=LABEL,
    )


def _fall(axis: Axes, life: Life, following: Life, start: float, colour: str) -> None:
    """Draw the way back from one life to the next, and hatch what is made again."""
    last, (at, first) = life.begun[-1], following.begun[0]
    axis.plot(
        [last[0] - start, at - start], [last[1], first], color=colour, lw=1.4, ls=":"
    )
    if first > last[1]:
        return
    over = [when for when, step in following.begun if step <= last[1]][-1]
    axis.add_patch(
        Rectangle(
            (at - start, first),
            over - at,
            last[1] - first,
            facecolor="none",
            edgecolor=colour,
            hatch="////",
            lw=0.8,
        )
    )


def _step_at(life: Life) -> int:
    seen = [step for at, step in life.begun if at <= life.lost[0]]
    return seen[-1] if seen else life.begun[0][1]


def _lost(run: LostRun) -> list[str]:
    return [f"{life.lost[1]} lost" for life in run.lives if life.lost is not None]


def _again(run: LostRun) -> int:
    lives = pairwise(run.lives)
    begun = [(a.begun[-1][1], b.begun[0][1]) for a, b in lives if a.begun and b.begun]
    falls = [last - first + 1 for last, first in begun]
    return sum(max(0, fall) for fall in falls)


def _end(run: LostRun) -> list[str]:
    """Say in a few short lines what came of a job."""
    end = run.lives[-1].end
    if run.done:
        off = run.off()
        right = "the right weights" if off < NEAR else f"weights differ by {off:.2g}"
        return [f"all {STEPS} steps", right]
    step = run.log[-1][1] if run.log else "no"
    if end.outcome in ("running", "halted"):
        there = ", ".join(run.lives[-1].alive)
        return [f"is in step {step}", f"{there} there"]
    if end.outcome == "killed":
        return [f"ends in step {step}", "the chief is gone"]
    if end.outcome == "waited":
        return [f"waits in step {step}", "forever"]
    return [f"ends in step {step}", str(end.facts.get("failed", end.error))]
