"""The verdicts of a class: trials for its kernels, judgement of what they observed."""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import nbformat
from nbformat import NotebookNode

from autograder.drawn_jobs import drawn_in
from autograder.grading.judge import Judge, Judged, Trials, Unjudgeable
from autograder.grading.pared import imported_in
from autograder.grading.verdict_cells import LOOK, checks_in, looks_in
from autograder.places import Places
from course.checks.verdicts import Outcome


@dataclass(frozen=True)
class Verdicts:
    """The verdicts on one submission.

    made: number of a check's cell -> its verdict.
    suspicions: what could not be judged, for the instructor.
    too_busy: whether the last word on an exercise is that the machine was too busy.
    """

    made: Mapping[int, Judged] = field(default_factory=dict)
    suspicions: tuple[str, ...] = ()
    too_busy: bool = False


class Judging:
    """Judges the submissions of one class, whose cases are drawn from one seed."""

    def __init__(self, judge: Judge, places: Places, seed: int) -> None:
        self._judge, self._places, self._seed = judge, places, seed
        self._trials: dict[str, Trials] = {}

    def trials(self, name: str) -> Trials:
        """What the checks of a notebook try out; its truths are computed with it.

        Raises:
            CourseError: they can't be.
        """
        if name not in self._trials:
            notebook = nbformat.read(self._places.learner(name), as_version=4)
            exercises = notebook.metadata["course"]["exercises"]
            composed = _composed(notebook)
            made = self._judge.prepare(name, exercises, composed, self._seed)
            names = {*made.names, *_imported(notebook)}
            self._trials[name] = replace(made, names=tuple(sorted(names)))
        return self._trials[name]

    def verdicts(self, notebook: NotebookNode, observed: Mapping[int, str]) -> Verdicts:
        """Judge what the checks of a submission observed, in the notebook's order.

        Args:
            notebook: as it was prepared.
            observed: number of a check's cell -> an npz file as base64; from a
                process that may have sent anything.
        """
        made, suspicions, last = {}, [], {}
        for number, exercise in sorted((*checks_in(notebook), *looks_in(notebook))):
            if number not in observed:
                continue
            solved = [each for each, said in last.items() if said == Outcome.RIGHT]
            try:
                npz = base64.b64decode(observed[number], validate=True)
                judged = self._judge.judge(exercise, self._seed, npz, solved)
            except (ValueError, Unjudgeable) as error:
                why = str(error)[:300]
                suspicions.append(
                    f"what was observed of {exercise} can't be judged: {why}"
                )
                continue
            made[number] = judged
            if LOOK not in notebook.cells[number].metadata:
                last[exercise] = judged.data["outcome"]
        return Verdicts(made, tuple(suspicions), Outcome.NO_VERDICT in last.values())


def _imported(notebook: NotebookNode) -> set[tuple[str, str]]:
    """Module and name of what the cells of the learner's version import of the course.

    Shipped code may be no Python: it is the failure, here and there.
    """
    found = set()
    for cell in notebook.cells:
        with contextlib.suppress(SyntaxError):
            found |= imported_in(cell.source if cell.cell_type == "code" else "")
    return {each for each in found if each[0].split(".")[0] == "course"}


def _composed(notebook: NotebookNode) -> dict | None:
    """What the notebook's jobs are composed from; None where it has none."""
    code = (each.source for each in notebook.cells if each.cell_type == "code")
    try:
        return drawn_in("\n".join(code))
    except ValueError:
        return None
