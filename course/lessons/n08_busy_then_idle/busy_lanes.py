"""The figure of a pipeline: one look for each role, in every figure of the notebook."""

from __future__ import annotations

from dataclasses import replace

from course.lessons.n08_busy_then_idle.input_pipeline import tell_steps
from course.pictures.picture import Picture
from course.pictures.timeline import timeline
from course.runs.spans import Timeline

ROLES = ("read", "decode", "step")
DECODE = "decode"  # a lane that is drawn only where somebody decodes


def busy_lanes(*runs: Timeline, sentence: str | None = None) -> Picture:
    """Draw runs of a pipeline side by side, with the time in which a lane is idle.

    Args:
        runs: one or two, with the same lanes.
        sentence: what the figure shows; made of labels and waits, if not given.
    """
    if not any(span.lane == DECODE for run in runs for span in run.spans):
        lanes = tuple(lane for lane in runs[0].lanes if lane != DECODE)
        runs = tuple(replace(run, lanes=lanes) for run in runs)
    return timeline(*runs, idle=True, tell=tell_steps, sentence=sentence, kinds=ROLES)
