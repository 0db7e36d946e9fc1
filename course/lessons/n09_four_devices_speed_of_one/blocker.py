"""Locate: which line of a job makes the most steps wait, once the job has begun?"""

from __future__ import annotations

from collections.abc import Sequence

from course.checks.exercises import Observation
from course.checks.findings import finding
from course.checks.places import NOTHING, Found, Place
from course.lessons.n09_four_devices_speed_of_one.job_events import Event
from course.lessons.n09_four_devices_speed_of_one.jobs import Job, draw, later, most
from course.lessons.n09_four_devices_speed_of_one.wrong_blocker import MISTAKES


def _blocker(events: Sequence[Event]) -> Found:
    return most(later(events))


def _its_events(job: Job, got: Observation, truth: Observation) -> str:
    line = int(got.values[0])
    if line == NOTHING or line == truth.values[0]:
        return ""
    steps = sorted({step for step, at, _ in job.events if at == line})
    return f"Steps in which line {line} has an event: {_listed(steps)}."


def _listed(steps: list[int]) -> str:
    return ", ".join(map(str, steps)) or "none"


MY_BLOCKER = finding(
    "09/my_blocker",
    Place(("line",), ("steps",)),
    draw,
    given=lambda job: (list(job.events),),
    find=_blocker,
    nothing="no line has an event after the first step.",
    wanted="the line that has an event in the most steps after the first one, and in "
    "how many.",
    more=_its_events,
    mistakes=MISTAKES,
    usual={
        "swapped": "the two numbers are right, in the wrong order: first the line.",
        "one_late": "the line is one too far: the first line has the number 0.",
        "zero_for_none": "for the healthy job it returns line 0 and 0 steps. Asked is "
        "None.",
        "nothing_found": "it finds nothing in any job.",
    },
    right="Right on nine jobs that really ran, one of them healthy.",
)
