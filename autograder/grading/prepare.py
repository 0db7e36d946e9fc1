"""Make a submitted notebook fit to run: readable, with the course's own cells."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from dataclasses import dataclass

import nbformat
from nbformat import NotebookNode
from nbformat.corpus.words import generate_corpus_id as random_cell_id
from nbgrader.utils import is_locked
from traitlets.config import Config

from autograder.grading.limits import Limits
from autograder.places import Places

# the ways to the answers' truths and into the checker's own state
UNUSUAL = re.compile(
    r"course\.(?:lessons|checks)|find_exercise|do_execute|ctypes|"
    r"__closure__|cell_contents|f_back|tb_frame|gi_frame|_getframe|_current_frames|"
    r"get_referrers|get_referents|get_objects|__subclasses__|(?:ast|input)_transformer"
)
CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True)
class Prepared:
    """A notebook ready to run, or the course's own in its place.

    problem: why nothing of the submission can run, for the student; else "".
    notes: what was put back, for the instructor.
    """

    notebook: NotebookNode
    problem: str = ""
    notes: tuple[str, ...] = ()


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
        submitted = _read(data, limits)
        course = _untouched(name, places)
        restored, notes = _restore(submitted, course, name, student, config)
    except _Unreadable as error:
        return Prepared(_untouched(name, places), problem=str(error))
    return Prepared(restored, notes=notes)


class _Unreadable(Exception):
    pass


def _read(data: bytes, limits: Limits) -> NotebookNode:
    if len(data) > limits.file:
        raise _Unreadable(
            f"the file has {len(data) / 2**20:.0f} MB; {limits.file / 2**20:.0f} MB "
            "are allowed (clear the outputs and hand it in again)"
        )
    if not data.strip():
        raise _Unreadable("the file is empty")
    try:
        text = data.decode("utf-8-sig")
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        deep = isinstance(error, RecursionError)
        why = "it is nested too deeply" if deep else str(error)[:200]
        raise _Unreadable(
            f"the file is no notebook: {why}. It may have been damaged "
            "on its way, or saved by another program"
        ) from None
    if not isinstance(content, dict) or "cells" not in content | _old(content):
        raise _Unreadable("the file is JSON, but no notebook: it has no cells")
    try:
        notebook = nbformat.reads(text, as_version=4)
        seen: set[str] = set()
        for place, cell in enumerate(notebook.cells):
            if not isinstance(cell.source, str):
                raise TypeError("a cell's source is no text")
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
            mark = _mark(cell)  # the rest of the metadata says nothing that counts
            cell.metadata = {"nbgrader": {"grade_id": mark}} if mark else {}
            cell["id"] = _own_id(cell, place, seen)
        notebook.metadata = {}
        notebook = nbformat.from_dict(notebook)
        notebook.nbformat_minor = 5
        nbformat.validate(notebook, relax_add_props=True)
    except Exception as error:
        raise _Unreadable(
            "the file is no notebook that can be read "
            f"({type(error).__name__}: {str(error).splitlines()[0][:200]})"
        ) from None
    return notebook


def _old(content: dict) -> dict:
    """What stands in for `cells` in nbformat 3."""
    sheets = content.get("worksheets")
    return {"cells": sheets} if isinstance(sheets, list) else {}


def _mark(cell: NotebookNode) -> str | None:
    """The name that the course gave this cell, if it looks like one."""
    mark = cell.metadata.get("nbgrader")
    found = mark.get("grade_id") if isinstance(mark, dict) else None
    return found if isinstance(found, str) else None


def _own_id(cell: NotebookNode, place: int, seen: set[str]) -> str:
    """The cell's id, or a new one where it has none that is valid and its own."""
    found = cell.get("id")
    if not isinstance(found, str) or not CELL_ID.fullmatch(found) or found in seen:
        found = f"cell-{place}-{random_cell_id()}"
    seen.add(found)
    return found


def _put_metadata_back(notebook: NotebookNode, course: NotebookNode) -> None:
    """Let all metadata be the course's: points, locks, tags, the kernel's name."""
    notebook.metadata = copy.deepcopy(course.metadata)
    known, further = {}, False
    for cell in course.cells:
        further |= cell.metadata.get("beat") == "further"
        if _mark(cell):
            known[_mark(cell)] = dict(cell.metadata)
            if further:
                known[_mark(cell)]["beat"] = "further"
    for cell in notebook.cells:
        mark = _mark(cell)
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
        for step in steps(config, "sanitize_preprocessors"):
            notebook, resources = step(notebook, resources)
    except Exception as error:
        raise _Unreadable(
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
    shipped = {line for cell in course.cells for line in cell.source.splitlines()}
    for cell in notebook.cells:
        if cell.cell_type == "code" and not is_locked(cell):
            own = [line for line in cell.source.splitlines() if line not in shipped]
            notes += [
                f"a cell names {word}, which the exercises do not need"
                for word in UNUSUAL.findall("\n".join(own))
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


def _untouched(name: str, places: Places) -> NotebookNode:
    """The learner's version as it was handed out: it stands in for the submission."""
    return nbformat.read(places.learner(name), as_version=4)
