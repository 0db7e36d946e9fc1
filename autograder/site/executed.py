"""The solution notebooks with their outputs: run once, and kept by their content."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from unittest import mock

import nbformat
from nbformat import NotebookNode
from rich.console import Console

from autograder.check import results_of, run_copy
from autograder.places import CourseError, Places
from course.checks.verdicts import Outcome
from course.kernels.warm import NAME as WARM
from course.kernels.warm import PROVISIONER_VARIABLE
from course.whole_files import write_whole


def executed(places: Places, name: str, kept: Path, console: Console) -> NotebookNode:
    """Return a solution notebook with outputs.

    It is run where its cells, or the package that they use, have changed since.

    Args:
        places: of the course.
        name: the notebook's.
        kept: the folder of what was run.
        console: shows how far a run is.

    Raises:
        CourseError: a check is not RIGHT, so the page would show what is wrong.
    """
    path = kept / f"{name}-{_content(places, name)}.ipynb"
    if path.is_file():
        return _with_outputs(places.solution(name), path)
    os.environ.setdefault(PROVISIONER_VARIABLE, WARM)
    with (
        tempfile.TemporaryDirectory(prefix="course-site-") as folder,
        # nobody's predictions stand on a page, nor what an old list of fonts lacks
        mock.patch.dict(os.environ, COURSE_DATA_DIR=folder, MPLCONFIGDIR=folder),
    ):
        notebook = run_copy(places.solution(name), console)
    wrong = [each for each in results_of(notebook) if each.outcome != Outcome.RIGHT]
    if wrong:
        lines = "\n".join(f"{w.exercise} {w.outcome}: {w.message}" for w in wrong)
        raise CourseError(f"{name} can't be shown:\n{lines}")
    for older in kept.glob(f"{name}-*.ipynb"):
        older.unlink()
    write_whole(path, nbformat.writes(notebook).encode())
    return notebook


def _with_outputs(path: Path, kept: Path) -> NotebookNode:
    """The notebook as it is now, whose text may have changed, with what cells gave."""
    notebook, ran = (nbformat.read(each, as_version=4) for each in (path, kept))
    outputs = {cell.id: cell.get("outputs") for cell in ran.cells}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = outputs[cell.id]
    notebook.metadata["widgets"] = ran.metadata.get("widgets", {})
    return notebook


def _content(places: Places, name: str) -> str:
    """A short hash of what a run depends on: its cells, and the course's package."""
    digest = hashlib.sha256()
    notebook = nbformat.read(places.solution(name), as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            digest.update(f"{cell.id} {cell.source}".encode() + b"\0")
    lesson = places.lesson(name)
    for path in sorted((places.root / "course").rglob("*")):
        others = path.is_relative_to(lesson.parent) and lesson not in path.parents
        if path.suffix in (".py", ".js", ".css") and not others:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
