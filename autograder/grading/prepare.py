"""Make a submitted notebook fit to run: with the course's own cells in their place."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import CheckCellMetadata, OverwriteKernelspec
from traitlets.config import Config

from autograder.grading.additions import add_cells, changed
from autograder.grading.cell_code import tree_of
from autograder.grading.course_cells import choose_copies, give_marks_back
from autograder.grading.limits import Limits
from autograder.grading.misplaced import Look, add_looks
from autograder.grading.needed import left_out
from autograder.grading.submitted_file import (
    Unreadable,
    leave_out_long,
    mark_of,
    read_file,
)
from autograder.grading.unusual import unusual
from autograder.grading.verdict_cells import checks_in
from autograder.places import Places
from autograder.preprocessors import as_shipped

YOUR_OWN = (
    "the course's cell {} was edited, and ran as it was handed out: what you add "
    "belongs into cells of your own"
)
ADDED = (
    "the course's cell {} was edited, and ran as it was handed out; what you added to "
    "it ran in a cell of its own"
)
UNMARKED = (
    "{} of the course's cells had lost their marks, so they were recognised by their "
    "text"
)
MOVED = (
    "the course's cell {} stands behind {}, before which it was handed out; cells are "
    "run from top to bottom, as they stand"
)
CHECK_OF = re.compile(r'^check\(["\'](\d\d)/', re.MULTILINE)
OTHERS = (
    "checks of notebook {} are in this file, too: they are not graded here, so hand in "
    "that notebook in a file of its own"
)
SOME = 3  # names in a message
OF_METADATA = (CheckCellMetadata, OverwriteKernelspec)


@dataclass(frozen=True)
class Prepared:
    """A notebook ready to run, or the course's own in its place.

    problem: why nothing of the submission can run, for the student; else "".
    reasons: why parts of it can't run, or run otherwise, for the student.
    notes: what was put back, for the instructor.
    looks: checks that were added behind versions outside their place.
    suspicions: what its code does that no exercise needs, for the instructor.
    left_out: numbers of the code cells that no check needs, and that do not run.
    put_back: name of an edited course cell -> the names that it redefined.
    """

    notebook: NotebookNode
    problem: str = ""
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    left_out: tuple[int, ...] = ()
    suspicions: tuple[str, ...] = ()
    looks: tuple[Look, ...] = ()
    put_back: Mapping[str, frozenset[str]] = field(default_factory=dict)


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
        course = as_shipped(places.learner(name))
        reasons = leave_out_long(submitted, limits)
        recognised = give_marks_back(submitted, course)
        choose_copies(submitted, course)
        order = list(_out_of_order(submitted, course))
        numbers = _numbers(submitted)
        restored, back, notes = _restore(submitted, course, name, student, config)
        if recognised:
            notes = (UNMARKED.format(recognised), *notes)
    except Unreadable as error:
        return Prepared(untouched(name, places), problem=str(error))
    code = set(_code_marks(course))
    added = add_cells(restored, back)
    others = [name for name in back if name in code and name not in added]
    edited = (ADDED.format(each) for each in added if each in code)
    edited = (*edited, *([YOUR_OWN.format(_some(others))] if others else ()))
    reasons += (*order, *edited, *_of_others(restored, course))
    odd = (f"{said}, which no exercise needs" for said in unusual(restored, course))
    suspicions = tuple(dict.fromkeys(odd))
    looks = add_looks(restored, course, numbers, back)
    return Prepared(
        restored,
        reasons=reasons,
        notes=notes,
        left_out=left_out(restored),
        suspicions=suspicions,
        looks=looks,
        put_back=changed(restored, back),
    )


def _of_others(notebook: NotebookNode, course: NotebookNode) -> Iterator[str]:
    """What is said of other notebooks' checks in this one."""
    own = {exercise.partition("/")[0] for _, exercise in checks_in(course)}
    code = (each.source for each in notebook.cells if each.cell_type == "code")
    found = {number for each in code for number in CHECK_OF.findall(each)}
    yield from (OTHERS.format(each) for each in sorted(found - own))


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
) -> tuple[NotebookNode, dict[str, str], tuple[str, ...]]:
    """Put the course's cells back; return the edited ones, and notes on all."""
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
    back, missing, notes = {}, [], []
    for grade_id, source in _marked_sources(notebook, locked=True).items():
        if grade_id not in before:
            missing.append(grade_id)
        elif before[grade_id] != source and not _same_code(before[grade_id], source):
            back[grade_id] = before[grade_id]
            notes.append(f"the course's cell {grade_id} was edited and was put back")
    if missing:
        notes.append(f"of the course's cells, missing and put back: {_some(missing)}")
    return notebook, back, tuple(notes)


def _some(names: Sequence[str]) -> str:
    """Return the first names as text, and how many more there are."""
    more = f" and {len(names) - SOME} more" * (len(names) > SOME)
    return ", ".join(names[:SOME]) + more


def _same_code(source: str, other: str) -> bool:
    """Return whether two cells differ in formatting and comments alone.

    Text that is no Python has an empty tree, which tells nothing.
    """
    return tree_of(source) == tree_of(other) != tree_of("")


def _out_of_order(notebook: NotebookNode, course: NotebookNode) -> Iterator[str]:
    """Say which of the course's cells was moved behind one that it stood before."""
    places = {name: number for number, name in enumerate(_code_marks(course))}
    marks = [name for name in _code_marks(notebook) if name in places]
    # of a cell that stands there twice, either may be the one that counts
    marks = [name for name in marks if marks.count(name) == 1]
    for before, name in pairwise(marks):
        if places[name] < places[before]:
            yield MOVED.format(name, before)
            return  # the first says it


def _numbers(notebook: NotebookNode) -> dict[str, int]:
    """Id of each code cell -> its number among them, from 1."""
    code = (each for each in notebook.cells if each.cell_type == "code")
    return {each.id: number for number, each in enumerate(code, 1)}


def _code_marks(notebook: NotebookNode) -> list[str]:
    code = (cell for cell in notebook.cells if cell.cell_type == "code")
    return [mark for mark in map(mark_of, code) if mark]


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
