"""`course practice`: two jobs without a label from one part, in their own notebook.

Its text is that of the mystery jobs; only the beginning and the jobs differ.
"""

from __future__ import annotations

import re
from pathlib import Path

from autograder.build import as_bytes, solution_notebook
from autograder.places import CourseError, Places
from autograder.preprocessors import make_learner_version
from autograder.source import Source, parse_source
from autograder.timetable import PRACTICE_MINUTES
from course.whole_files import write_whole

JOBS = 2
JOBS_CELL = '# %% role="jobs"'
BEGIN = """\
# ---
# course:
#   number: {number}
#   title: "Practice for Part {part}: two jobs without a label"
#   part: {part}
#   minutes: {{core: {minutes}, further: []}}
#   symptoms: ["a job of Part {part} is wrong or slow", "nobody knows why"]
#   in_a_hurry:
#     cause: Each job has one fault of Part {part}, often outside its code.
#     probe: Look at the rows first, then at the weights.
#     fix: Fix what made the first wrong number, in the earliest step.
# ---

# %% [markdown] beat="symptom"
# ## Two jobs, and no label
#
# Two people bring you their training jobs. Each has one fault, from a notebook of
# Part {part}. What they saw is true; what they blame is not. For both jobs:
#
# 1. **Look** at it. A look costs coins.
# 2. **Name** it (2 points). A wrong name takes a point away; each name after the first
#    costs 2 coins.
# 3. **Locate** where it first shows (3 points). A wrong place costs a coin.
# 4. **Repair** it, so that it does what one device does (5 points). A failed repair
#    costs 2 coins.
#
# Coins and points are separate: coins never lower your points. No job goes below 0
# points.

"""
FIRST_CODE, AFTER_JOBS = '# %% role="start"', '# %% [markdown] beat="further"'


def practice_source(places: Places, part: int, seed: int) -> Source:
    """Return the source of the practice for `part`, its jobs composed from `seed`.

    Raises:
        CourseError: there is no such part, or the seed is no whole number from 0 up.
    """
    if part not in (1, 2, 3):
        raise CourseError(f"The course has parts 1, 2 and 3, not {part}.")
    text = _mystery_jobs(places)
    body = text[text.index(FIRST_CODE) : text.index(AFTER_JOBS)]
    drawn = f"mystery(seed={seed}, parts=({part},), jobs={JOBS})"
    body = re.sub(r"mystery\(seed=\d+\)", drawn, body)
    number = f"practice-{part}-{seed}"
    begin = BEGIN.format(number=number, part=part, minutes=PRACTICE_MINUTES)
    return parse_source(begin + body, Path(f"{number}_two_jobs.py"))


def _mystery_jobs(places: Places) -> str:
    """Return the text of the notebook whose jobs are composed."""
    for name in reversed(places.names()):
        text = places.source(name).read_text(encoding="utf-8")
        if JOBS_CELL in text:
            return text
    raise CourseError(
        f"No notebook in {places.solutions} has a cell {JOBS_CELL!r}: put the mystery "
        "jobs back, a practice is made of their text."
    )


def write_practice(places: Places, part: int, seed: int) -> Path:
    """Write the learner's notebook beside the others, and return its path.

    Raises:
        CourseError: as `practice_source`, or a file of that name is there.
    """
    source = practice_source(places, part, seed)
    path = places.notebooks / "practice" / f"{source.name}.ipynb"
    if path.exists():
        raise CourseError(
            f"{path} is there already, perhaps with your work. Move it away, or ask "
            "for other jobs with --seed."
        )
    write_whole(path, practice_notebook(source, places))
    return path


def practice_notebook(source: Source, places: Places) -> bytes:
    """Return the learner's notebook of a practice, as it stands in its file."""
    notebook = make_learner_version(solution_notebook(source, places.claims))
    return as_bytes(notebook)
