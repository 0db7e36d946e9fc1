"""The steps that the course adds to nbgrader's own: each class does one job."""

from __future__ import annotations

import functools
import os
import re
import tempfile
from pathlib import Path

import nbformat
from jupyter_core.utils import run_sync
from nbformat import NotebookNode
from nbformat.corpus.words import generate_corpus_id as random_cell_id
from nbformat.v4 import new_output
from nbgrader.api import Gradebook
from nbgrader.preprocessors import (
    Execute,
    NbGraderPreprocessor,
    OverwriteCells,
    SaveAutoGrades,
)
from nbgrader.utils import is_grade
from traitlets.config import Config

from autograder.gradebook import one_commit
from autograder.places import Places
from autograder.source import checked_exercise
from autograder.stamp import set_stamp
from autograder.verdict_outputs import verdicts
from course.checks.exercises import broken_name_of
from course.checks.verdicts import Outcome


def make_learner_version(notebook: NotebookNode) -> NotebookNode:
    """Turn a solution notebook into the learner's, in place.

    Each fix cell becomes the broken cell under the learner's name, or `my_name = ...`
    where a value is asked for; cells for the solution only go away.
    """
    broken = {
        cell.metadata.get("exercise"): cell.source
        for cell in notebook.cells
        if cell.metadata.get("role") == "broken"
    }
    for cell in notebook.cells:
        if cell.metadata.get("role") == "fix":
            exercise = cell.metadata["exercise"]
            if cell.metadata.get("value"):
                cell.source = f"{exercise} = ..."
                continue
            cell.source = re.sub(
                rf"\b{broken_name_of(exercise)}\b", exercise, broken[exercise]
            )
    notebook.cells = [
        cell for cell in notebook.cells if not cell.metadata.get("solution_only")
    ]
    if "course" in notebook.metadata:
        notebook.metadata["course"]["version"] = "learner"
    return notebook


def as_shipped(learner: Path) -> NotebookNode:
    """Return the learner's version in a file. It is cached, so don't modify it.

    Raises:
        OSError: there is no such file.
    """
    return _read(learner, learner.stat().st_mtime_ns)


@functools.lru_cache(32)
def _read(learner: Path, _changed: int) -> NotebookNode:
    return nbformat.read(learner, as_version=4)


class LearnerVersion(NbGraderPreprocessor):
    """Stands in the place of ClearSolutions: the learner starts from broken code."""

    def preprocess(
        self, nb: NotebookNode, resources: dict
    ) -> tuple[NotebookNode, dict]:
        """Return the learner's version of a solution notebook."""
        return make_learner_version(nb), resources


class Stamp(NbGraderPreprocessor):
    """Writes the build's mark, so that a person's edits are known later."""

    def preprocess(
        self, nb: NotebookNode, resources: dict
    ) -> tuple[NotebookNode, dict]:
        """Return the notebook with its mark."""
        set_stamp(nb)
        return nb, resources


class RestoreCells(OverwriteCells):
    """nbgrader's OverwriteCells, made to survive copied and deleted cells."""

    def preprocess(
        self, nb: NotebookNode, resources: dict
    ) -> tuple[NotebookNode, dict]:
        """Drop marks that nbgrader can't use (copies of a cell), then restore."""
        for cell in nb.cells:
            if "nbgrader" in cell.metadata and not cell.metadata["nbgrader"]:
                del cell.metadata["nbgrader"]
        return super().preprocess(nb, resources)

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict, cell_index: int
    ) -> tuple[NotebookNode, dict]:
        """Restore one cell; a mark this version of the course does not know goes."""
        cell, resources = super().preprocess_cell(cell, resources, cell_index)
        mark = cell.metadata.get("nbgrader")
        if mark is not None and "grade_id" not in mark:
            del cell.metadata["nbgrader"]
        return cell, resources

    def add_missing_grade_cells(
        self, nb: NotebookNode, resources: dict
    ) -> tuple[NotebookNode, dict]:
        """Put the course's deleted cells back.

        A check stands behind the cell it checks, else last; any other locked cell
        behind the one it follows in the learner's version, else first.
        """
        source = self.gradebook.find_notebook(self.notebook_id, self.assignment_id)
        points = {each.name: each.max_score for each in source.grade_cells}
        order = _marked_order(self.config, self.notebook_id)
        known = {each.name: each for each in source.source_cells}
        names = sorted(known, key=lambda name: (name in points, order.get(name, 0)))
        for name in names:
            places = {
                cell.metadata.get("nbgrader", {}).get("grade_id"): place
                for place, cell in enumerate(nb.cells)
            }
            if name in places or not (known[name].locked or name in points):
                continue
            self.log.warning("Cell %s was deleted: added again", name)
            cell = nbformat.from_dict(
                self.missing_cell_transform(known[name], points.get(name, 0))
            )
            if name in points:
                fix = name.removesuffix("-check") + "-fix"
                place = places.get(fix, len(nb.cells) - 1) + 1
            else:
                cell.source = known[name].source
                cell.metadata.nbgrader.grade = False
                cell.metadata.nbgrader.pop("points", None)
                before = [
                    place
                    for other, place in places.items()
                    if other in order and order[other] < order.get(name, 0)
                ]
                place = max(before, default=-1) + 1
            if (nb.nbformat, nb.nbformat_minor) >= (4, 5):
                _free_id(nb, name)
                cell["id"] = name
            nb.cells.insert(place, cell)
        return nb, resources


def _marked_order(config: Config, name: str) -> dict[str, int]:
    """The places of marked cells in the learner's version: the database has none."""
    path = Places(Path(config.CourseDirectory.root)).learner(name)
    if not path.is_file():
        return {}
    marks = [
        cell.metadata.get("nbgrader", {}).get("grade_id")
        for cell in as_shipped(path).cells
    ]
    return {mark: place for place, mark in enumerate(marks) if mark}


def _free_id(nb: NotebookNode, cell_id: str) -> None:
    """Give another cell that has this id (a copy without its mark) a new one."""
    for place, cell in enumerate(nb.cells):
        if cell.get("id") == cell_id:
            cell["id"] = f"was-at-{place}-{random_cell_id()}"


class FreshExecute(Execute):
    """Executes with a progress folder of its own: nobody's progress is touched."""

    def preprocess(
        self, nb: NotebookNode, resources: dict, *args: object, **kwargs: object
    ) -> tuple[NotebookNode, dict]:
        """Execute the notebook; the folder is gone afterwards."""
        with tempfile.TemporaryDirectory(prefix="course-grading-") as folder:
            self._course_data = folder
            return super().preprocess(nb, resources, *args, **kwargs)

    async def async_start_new_kernel(self, **kwargs: object) -> None:
        """Start the kernel with the environment of grading."""
        kwargs["env"] = {
            **os.environ,
            "COURSE_DATA_DIR": self._course_data,
            "COURSE_GRADING": "1",
            "TF_CPP_MIN_LOG_LEVEL": os.environ.get("TF_CPP_MIN_LOG_LEVEL", "3"),
        }
        await super().async_start_new_kernel(**kwargs)

    start_new_kernel = run_sync(async_start_new_kernel)  # the one nbclient calls


class PointsNeedVerdict(NbGraderPreprocessor):
    """Takes the points from a check cell that shows no RIGHT verdict of its own."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict, cell_index: int
    ) -> tuple[NotebookNode, dict]:
        """Put an error into a graded cell unless its last verdict is RIGHT."""
        if not is_grade(cell) or cell.cell_type != "code":
            return cell, resources
        exercise = checked_exercise(cell.source)
        outcomes = [
            verdict.get("outcome")
            for verdict in verdicts(cell)
            if verdict.get("exercise") == exercise
        ]
        if outcomes[-1:] == [Outcome.RIGHT]:
            return cell, resources
        if not any(output.output_type == "error" for output in cell.outputs):
            sentence = (
                f"No points: this check shows no RIGHT verdict for {exercise}. "
                "The check's own output is missing or was replaced."
            )
            error = new_output(
                "error", ename="NoVerdict", evalue=sentence, traceback=[sentence]
            )
            cell.outputs.insert(0, error)  # before a number, which nbgrader would take
        return cell, resources


class SavePoints(SaveAutoGrades):
    """nbgrader's SaveAutoGrades, with one commit for the whole notebook."""

    def preprocess(
        self, nb: NotebookNode, resources: dict
    ) -> tuple[NotebookNode, dict]:
        """Write points and automatic comments into the gradebook."""
        given = resources["nbgrader"]
        self.notebook_id, self.assignment_id = given["notebook"], given["assignment"]
        self.student_id = given["student"]
        with Gradebook(given["db_url"]) as self.gradebook, one_commit(self.gradebook):
            return NbGraderPreprocessor.preprocess(self, nb, resources)
