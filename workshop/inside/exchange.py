"""What a learner handed in and what came back: nbgrader's exchange, in sentences."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from course.checks.verdicts import MIME_TYPE, Outcome
from workshop.inside.start import get_notebooks

NAMED = 2  # exercises in a sentence
STAMP = "%Y-%m-%d %H:%M:%S.%f UTC"  # nbgrader's

if TYPE_CHECKING:
    from nbgrader.server_extensions.assignment_list.handlers import AssignmentList


class Refused(Exception):
    """What was asked for can't be done; says why and what to do."""


@dataclass(frozen=True)
class Arrived:
    """A submission: when it arrived, and a sentence on how far it is."""

    at: datetime
    answers: str


@dataclass(frozen=True)
class Feedback:
    """The feedback on one submission.

    there: whether the exchange has some.
    new: whether the learner's folder has none of it, or an older one.
    page: where it is in the learner's folder, from its top; None as long as it is not.
    """

    there: bool
    new: bool
    page: str | None


class Exchange:
    """One learner's part of the exchange.

    manager: nbgrader's, which its Assignment List works with. It changes the process's
        folder while it works: call it where nothing else runs.
    """

    def __init__(self, manager: AssignmentList) -> None:
        self._manager = manager

    def folder(self, kind: str) -> Path:
        """Where "feedback" arrives, or what was handed out, "outbound"."""
        config = self._config()
        return Path(config.Exchange.root) / config.CourseDirectory.course_id / kind

    def released(self) -> list[str]:
        """The notebooks that were handed out and are not in the learner's folder."""
        out, mine = self.folder("outbound"), Path(self._manager.root_dir)
        names = sorted(each.name for each in out.iterdir()) if out.is_dir() else ()
        return [name for name in names if not (mine / name).exists()]

    def get_released(self) -> None:
        """Put them there."""
        get_notebooks(self.folder("outbound"), Path(self._manager.root_dir))

    def hand_in(self, name: str) -> Arrived:
        """Hand a notebook in as it was saved.

        Raises:
            Refused: it did not arrive.
        """
        course = self._config().CourseDirectory.course_id
        done = self._manager.submit_assignment(course, name)
        if not done["success"]:
            raise Refused(f"{name} was not handed in: {_last_line(done['value'])}")
        newest = self._newest(name)
        if newest is None:
            raise Refused(f"{name} was handed in, but did not arrive. Try once more.")
        at = datetime.strptime(newest["timestamp"], STAMP).replace(tzinfo=UTC)
        return Arrived(at, _answers(newest["notebooks"]))

    def fetch_feedback(self, name: str) -> Feedback:
        """Put all feedback on a notebook that there is into the learner's folder.

        Returns that on the newest submission which has some.

        Raises:
            Refused: there is none.
        """
        before = self._newest(name)
        if before is None:
            raise Refused(f"{name} was not handed in yet: press Hand in first.")
        course = self._config().CourseDirectory.course_id
        done = self._manager.fetch_feedback(course, name)
        if not done["success"]:
            raise Refused(f"No feedback came: {_last_line(done['value'])}")
        found = [_feedback(each) for each in self._submissions().get(name, ())]
        found = [each for each in found if each.page]
        if not found:
            raise Refused(
                f"There is no feedback on {name} yet. A notice says when it comes."
            )
        return found[-1]

    def new_feedback(self) -> list[str]:
        """The notebooks on whose newest submission there is feedback not fetched."""
        return [
            name
            for name, submissions in self._submissions().items()
            if _feedback(submissions[-1]).new
        ]

    def _newest(self, name: str) -> dict | None:
        return max(
            self._submissions().get(name, ()),
            key=lambda each: each["timestamp"],
            default=None,
        )

    def _submissions(self) -> dict[str, list[dict]]:
        """Notebook -> its submissions, the newest last."""
        course = self._config().CourseDirectory.course_id
        listed = self._manager.list_submitted_assignments(course)
        if not listed["success"]:
            raise Refused(f"The exchange can't be read: {_last_line(listed['value'])}")
        return {each["assignment_id"]: each["submissions"] for each in listed["value"]}

    def _config(self):
        return self._manager.load_config()


def _feedback(submission: dict) -> Feedback:
    there = submission["has_exchange_feedback"]
    new = there and not submission["has_local_feedback"]
    new = new or submission["feedback_updated"]
    folder = submission["local_feedback_path"]
    name = submission["assignment_id"]
    return Feedback(there, new, folder and f"{folder}/{name}.html")


def _answers(notebooks: list[dict]) -> str:
    """How many exercises of what arrived were right when it was saved."""
    path = next((each["path"] for each in notebooks), None)
    try:
        cells = json.loads(Path(path).read_text(encoding="utf-8"))["cells"]
        checks = [each for each in cells if _is_check(each)]
        last = {_name(each): _outcome(each) for each in checks}
    except (TypeError, ValueError, KeyError, OSError):
        return "What arrived is no notebook: save it and hand it in again."
    rest = [exercise for exercise, said in last.items() if said != Outcome.RIGHT]
    said = f"RIGHT in it: {len(last) - len(rest)} of {len(last)}"
    # JupyterLab cuts a notice after 140 characters
    named = [*rest[:NAMED], *[f"{len(rest) - NAMED} more"] * (len(rest) > NAMED)]
    return f"{said}; not {', '.join(named)}." if rest else f"{said}."


def _is_check(cell: dict) -> bool:
    mark = cell["metadata"].get("nbgrader", {})
    return cell["cell_type"] == "code" and mark.get("grade", False)


def _name(cell: dict) -> str:
    return cell["metadata"]["nbgrader"]["grade_id"].removesuffix("-check")


def _outcome(cell: dict) -> str | None:
    """What the last verdict below a check says; None where there is none."""
    data = [each.get("data", {}) for each in cell["outputs"]]
    found = [each[MIME_TYPE]["outcome"] for each in data if MIME_TYPE in each]
    return found[-1] if found else None


def _last_line(trace: str) -> str:
    """The last line of a traceback, without the name of its exception."""
    last = trace.strip().splitlines()[-1]
    return last.partition(": ")[2] or last
