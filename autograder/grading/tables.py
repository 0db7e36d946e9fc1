"""Report and tables of a class: of all records that there are."""

from __future__ import annotations

from functools import partial

from autograder import exports, unsettled
from autograder.core_first import further_of
from autograder.grading.marked import with_points_by_hand
from autograder.places import Places
from autograder.records import Records
from autograder.report import write_report


def write_tables(places: Places) -> None:
    """Write report.html, grades.csv and canvas.csv into the course's results.

    Raises:
        CourseError: the gradebook can't be read.
    """
    results, gradebook = places.results, places.gradebook
    records = Records(results / "records")
    rest = unsettled.read(results, records)
    marked = with_points_by_hand(records, gradebook)
    write_report(marked, results / "report.html", places, unsettled=rest)
    if gradebook.is_file():  # there is none before a first submission is taken
        further = partial(further_of, places)
        exports.write_grades(gradebook, results / "grades.csv", rest, further)
        exports.write_canvas(gradebook, results / "canvas.csv", rest, further)
