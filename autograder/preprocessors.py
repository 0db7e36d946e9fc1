"""The steps that the course adds to nbgrader's own: each class does one job."""

from __future__ import annotations

import os
import re
import tempfile

from jupyter_core.utils import run_sync
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import Execute, NbGraderPreprocessor, OverwriteCells
from nbgrader.utils import is_grade

from autograder.source import broken_name, checked_exercise
from autograder.stamp import set_stamp
from autograder.verdict_outputs import verdicts


def make_learner_version(notebook: NotebookNode) -> NotebookNode:
    """Turn a solution notebook into the learner's, in place.

    Each fix cell becomes the broken cell under the learner's name; cells for the
    solution only go away.
    """
    broken = {
        cell.metadata.get("exercise"): cell.source
        for cell in notebook.cells
        if cell.metadata.get("role") == "broken"
    }
    for cell in notebook.cells:
        if cell.metadata.get("role") == "fix":
            exercise = cell.metadata["exercise"]
            cell.source = re.sub(
                rf"\b{broken_name(exercise)}\b", exercise, broken[exercise]
            )
    notebook.cells = [
        cell for cell in notebook.cells if not cell.metadata.get("solution_only")
    ]
    if "course" in notebook.metadata:
        notebook.metadata["course"]["version"] = "learner"
    return notebook


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
        """Put deleted check cells back, each behind the cell it checks, else last."""
        source = self.gradebook.find_notebook(self.notebook_id, self.assignment_id)
        texts = {cell.name: cell for cell in source.source_cells}
        for grade in source.grade_cells:
            places = {
                cell.metadata.get("nbgrader", {}).get("grade_id"): place
                for place, cell in enumerate(nb.cells)
            }
            if grade.name in places:
                continue
            self.log.warning("Check cell %s was deleted: added again", grade.name)
            cell = self.missing_cell_transform(texts[grade.name], grade.max_score)
            if (nb.nbformat, nb.nbformat_minor) >= (4, 5):
                cell["id"] = grade.name
            fix = grade.name.removesuffix("-check") + "-fix"
            nb.cells.insert(places.get(fix, len(nb.cells) - 1) + 1, cell)
        return nb, resources


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
        if outcomes[-1:] == ["RIGHT"]:
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
