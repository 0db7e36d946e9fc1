"""Locate: which line of a job costs the most after the first step, and how often?"""

from __future__ import annotations

from collections.abc import Sequence

from course.checks.exercises import Observation
from course.checks.findings import finding
from course.checks.places import NOTHING, Found, Place
from course.lessons.n08_four_devices_speed_of_one.job_events import Event
from course.lessons.n08_four_devices_speed_of_one.jobs import Job, draw, later, most
from course.lessons.n08_four_devices_speed_of_one.wrong_blocker import MISTAKES


def _blocker(events: Sequence[Event]) -> Found:
    return most(later(events))


def _its_events(job: Job, got: Observation, truth: Observation) -> str:
    line = int(got.values[0])
    if line == NOTHING or line == truth.values[0]:
        return ""
    total = sum(event[1] == line for event in job.events)
    after = later(job.events)[line]
    return f"Events of line {line}: {total}, {after} of them after the first step."


MY_BLOCKER = finding(
    "08/my_blocker",
    Place(("line",), ("times",)),
    draw,
    given=lambda job: (list(job.events),),
    find=_blocker,
    nothing="no line has an event after the first step.",
    wanted="the line with the most events after the first step, and how many these "
    "are.",
    more=_its_events,
    mistakes=MISTAKES,
    usual={
        "swapped": "the two numbers are right, in the wrong order: first the line.",
        "one_late": "the line is one too far: the first line has the number 0.",
        "zero_for_none": "for the healthy job it returns line 0 and 0 times. Asked is "
        "None.",
        "nothing_found": "it finds nothing in any job.",
    },
    right="Right on nine jobs that really ran, one of them healthy.",
)
