"""This notebook's instrument: a control panel of two workers that train and save."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from course.lessons.n20_hangs_when_it_saves.deaths import MIDDLE, Death
from course.lessons.n20_hangs_when_it_saves.meetings import meetings
from course.lessons.n20_hangs_when_it_saves.saved_files import files_in
from course.lessons.n20_hangs_when_it_saves.saving_job import (
    SHOWN,
    Job,
    Save,
    SavedRun,
    job_of,
    work,
)
from course.pictures.picture import Picture
from course.runs.cluster import ClusterRun, End, live
from course.widgets.knobs import Choice
from course.widgets.panel import panel

SLOW = 1.0  # seconds that a step sleeps: time enough to press a button
DEATHS = {
    "nobody": None,
    "worker 0, in the middle of its write": Death(0, MIDDLE),
    "worker 0, after its write": Death(0, 1),
    "worker 1, in the middle of its write, if it has one": Death(1, MIDDLE),
}
NAMES = {name: name for name in DEATHS}
SHIPPED = "broken_save"  # in it, only worker 0 writes


def control_panel(saves: Mapping[str, Callable], first: SavedRun) -> None:
    """Show the panel.

    saves: name -> a function like `broken_save`; the first is shown first. Once the
        exercise is solved, the learner's own one can be chosen as well.
    first: a run that is over; shown until one is started.
    """
    shown = Shown()
    each = next(iter(saves.values()))
    knobs = [
        Choice("late", "worker 1's clock", {"is right": 0, "is a step late": 1}, 0),
        Choice("death", "killed in its second save", NAMES, "nobody"),
        Choice("save", "function", dict(saves), each, "20/my_save"),
    ]
    names = [end.name for end in first.cluster.ends]
    first_picture = meetings(first)
    panel(knobs, shown.job, shown.picture, names, first_picture, idle_knobs)


def idle_knobs(late: int, death: str, save: Save) -> dict[str, str]:
    """Return why a knob changes nothing with these values: knob -> a sentence.

    `death` is never idle: one of its values changes nothing, the others do.
    """
    if getattr(save, "__name__", "") != SHIPPED:
        return {}
    return {
        "late": f"In {SHIPPED}, worker 1 saves nothing, so its clock has no effect."
    }


class Shown:
    """The job that runs now, and its folder."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory | None = None
        self._job: Job | None = None
        self._label = ""

    def job(self, save: Save, late: int, death: str) -> live.Job:
        """Return the next job, in a new folder."""
        self._folder = tempfile.TemporaryDirectory(prefix="course-saves-")
        Path(self._folder.name, "saved").mkdir()
        self._job = replace(job_of(SHOWN, death=DEATHS[death]), late=late)
        self._label = getattr(save, "__name__", "yours")
        folder = str(Path(self._folder.name, "saved"))
        # a partial has no code of its own: told is where a worker stands in `save`
        own = functools.partial(work, save, self._job, folder, SLOW)
        return live.Job({"worker": 2}, own)

    def picture(self, run: ClusterRun, acts: Sequence[live.Act]) -> Picture:
        """Draw the run as far as it has come, and what lies in the folder now."""
        files = files_in(Path(self._folder.name, "saved"))
        shown = replace(run, ends=tuple(_with_halts(each, acts) for each in run.ends))
        return meetings(SavedRun(self._label, self._job, shown, files))


def _with_halts(end: End, acts: Sequence[live.Act]) -> End:
    """Return the end of a process that was still halted when the run was stopped."""
    last = next((act.what for act in reversed(acts) if act.name == end.name), "")
    waited_halted = end.outcome == "waited" and last == "halt"
    return replace(end, outcome="halted") if waited_halted else end
