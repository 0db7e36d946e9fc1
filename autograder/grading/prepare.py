"""Make a submitted notebook fit to run: with the course's own cells in their place."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import CheckCellMetadata, OverwriteKernelspec
from traitlets.config import Config

from autograder.grading.limits import Limits
from autograder.grading.needed import left_out
from autograder.grading.submitted_file import (
    Unreadable,
    leave_out_long,
    mark_of,
    read_file,
)
from autograder.grading.unusual import unusual
from autograder.places import Places

OF_METADATA = (CheckCellMetadata, OverwriteKernelspec)


@dataclass(frozen=True)
class Prepared:
    """A notebook ready to run, or the course's own in its place.

    problem: why nothing of the submission can run, for the student; else "".
    reasons: why parts of it can't run, for the student.
    notes: what was put back, for the instructor.
    left_out: numbers of the code cells that no check needs, and that do not run.
    """

    notebook: NotebookNode
    problem: str = ""
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    left_out: tuple[int, ...] = ()


def prepare(
    data: bytes, name: str, student: str, places: Places, config: Config, limits: Limits
) -> Prepared:
    """Read a submission and put the course's locked cells back.

    Args:
        data: the submitted file.
        name: of the notebook, which is its nbgrader assignment too.
        student: their id; the submission must be in the gradebook already.
        places: of the course.
        config: of nbgrader, with its `sanitize_preprocessors`.
        limits: of grading.
    """
    try:
        submitted = read_file(data, limits)
        course = untouched(name, places)
        reasons = leave_out_long(submitted, limits)
        restored, notes = _restore(submitted, course, name, student, config)
    except Unreadable as error:
        return Prepared(untouched(name, places), problem=str(error))
    return Prepared(restored, "", reasons, notes, left_out(restored))


def _put_metadata_back(notebook: NotebookNode, course: NotebookNode) -> None:
    """Let all metadata be the course's: points, locks, tags, the kernel's name."""
    notebook.metadata = copy.deepcopy(course.metadata)
    known, further = {}, False
    for cell in course.cells:
        further |= cell.metadata.get("beat") == "further"
        if mark_of(cell):
            known[mark_of(cell)] = dict(cell.metadata)
            if further:
                known[mark_of(cell)]["beat"] = "further"
    for cell in notebook.cells:
        mark = mark_of(cell)
        cell.metadata = nbformat.from_dict(copy.deepcopy(known.get(mark, {})))


def _restore(
    notebook: NotebookNode,
    course: NotebookNode,
    name: str,
    student: str,
    config: Config,
) -> tuple[NotebookNode, tuple[str, ...]]:
    before = _marked_sources(notebook)
    _put_metadata_back(notebook, course)
    resources = resources_of(name, student, config)
    try:
        # all metadata is the course's: nothing in it to look at or to write down
        for step in steps(config, "sanitize_preprocessors", without=OF_METADATA):
            notebook, resources = step(notebook, resources)
    except Exception as error:
        raise Unreadable(
            "its cells carry marks that nbgrader can't read "
            f"({type(error).__name__}: {str(error)[:200]})"
        ) from None
    _put_metadata_back(notebook, course)  # of cells that were missing
    notes = []
    for grade_id, source in _marked_sources(notebook, locked=True).items():
        if grade_id not in before:
            notes.append(f"the course's cell {grade_id} was missing and was put back")
        elif before[grade_id] != source:
            notes.append(f"the course's cell {grade_id} was edited and was put back")
    notes += [
        f"a cell {said}, which no exercise needs" for said in unusual(notebook, course)
    ]
    return notebook, tuple(dict.fromkeys(notes))


def _marked_sources(notebook: NotebookNode, locked: bool = False) -> dict[str, str]:
    found = {}
    for cell in notebook.cells:
        mark = cell.metadata.get("nbgrader")
        if not isinstance(mark, dict) or not isinstance(mark.get("grade_id"), str):
            continue
        if mark.get("locked") or not locked:
            found.setdefault(mark["grade_id"], cell.source)
    return found


def steps(config: Config, which: str, without: tuple = ()) -> list[Callable]:
    """The preprocessors that `config.Autograde` names; called, they heed `enabled`."""
    return [
        each(config=config) for each in config.Autograde[which] if each not in without
    ]


def resources_of(name: str, student: str, config: Config) -> dict:
    """What nbgrader's preprocessors are told about a notebook."""
    return {
        "unique_key": name,
        "metadata": {"name": name},
        "nbgrader": {
            "student": student,
            "assignment": name,
            "notebook": name,
            "db_url": config.CourseDirectory.db_url,
        },
    }


def untouched(name: str, places: Places) -> NotebookNode:
    """The learner's version as it was handed out: it stands in for the submission."""
    return nbformat.read(places.learner(name), as_version=4)
