"""Report and tables of a class: of all records that there are."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from autograder import exports, unsettled
from autograder.core_first import further_of
from autograder.grading.marked import graded_by_hand, with_points_by_hand
from autograder.grading.outages import for_people, when_unlocked
from autograder.places import Places
from autograder.records import Records
from autograder.report import write_report

if TYPE_CHECKING:
    from rich.console import Console


def write_tables(
    places: Places, console: Console | None = None, seconds: float | None = None
) -> None:
    """Write report.html, grades.csv and canvas.csv into the course's results.

    Args:
        places: of the course.
        console: says that a locked gradebook is waited for.
        seconds: how long it is waited for; a minute by default.

    Raises:
        CourseError: the gradebook can't be read, or the results can't be written.
    """
    with for_people(places.gradebook):
        when_unlocked(lambda: _write(places), places.gradebook, console, seconds)


def _write(places: Places) -> None:
    results, gradebook = places.results, places.gradebook
    records = Records(results / "records")
    rest = unsettled.read(results, records)
    rest = rest.without(graded_by_hand(records, gradebook))
    marked = with_points_by_hand(records, gradebook)
    write_report(marked, results / "report.html", places, unsettled=rest)
    if gradebook.is_file():  # there is none before a first submission is taken
        further = partial(further_of, places)
        exports.write_grades(gradebook, results / "grades.csv", rest, further)
        exports.write_canvas(gradebook, results / "canvas.csv", rest, further)
