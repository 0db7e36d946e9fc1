"""What is kept of each submission, and when it counts as graded.

A record per submission, written last, says that all the rest is in place; so whatever
stops a run, the next one goes on with the submissions that have none.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from autograder.failing import Failing, Failure
from autograder.grading.copies import fingerprint
from autograder.grading.engine import Answer
from autograder.grading.judging import Verdicts
from autograder.grading.limits import Limits
from autograder.grading.misplaced import drop_looks, settle
from autograder.grading.not_run import explain
from autograder.grading.prepare import Prepared, prepare, untouched
from autograder.grading.rendering import Renderer
from autograder.grading.settle import Said, assemble, register, save
from autograder.grading.tables import write_tables
from autograder.grading.task import course_digest
from autograder.grading.verdict_cells import show_verdicts
from autograder.intake import Submission
from autograder.nbgrader_settings import settings
from autograder.places import CourseError, Places
from autograder.preprocessors import as_shipped
from autograder.records import Record, Records
from course.whole_files import write_whole

if TYPE_CHECKING:
    from rich.console import Console

TOO_BUSY = (
    "A check gave no verdict, alone on the machine as well: it was too busy. The next "
    "run of the same command tries again"
)
OWN_CARDS = "the notebook displayed cards of its own; they were taken out"
STUMBLED = (
    "something in this file could not be graded. Open it in JupyterLab, run all its "
    "cells, save it, and hand it in again; your instructor has the details"
)


@dataclass
class Pending:
    """A submission on its way: what was prepared of it, and since when.

    suspect: no worker could run it so far, or a check in it gave no verdict.
    given_up: nothing can be done with it, and the course's own stands in for it.
    """

    submission: Submission
    digest: str
    prepared: Prepared
    began: float
    suspect: bool = False
    given_up: bool = False


class Results:
    """Takes submissions in, and writes what came of them."""

    def __init__(
        self, places: Places, limits: Limits, seed: int, renderer: Renderer
    ) -> None:
        """Prepare to write the results of the course at `places`.

        Args:
            places: of the course.
            limits: of each submission.
            seed: of the class.
            renderer: writes the feedback pages.
        """
        self.places, self.limits, self.seed = places, limits, seed
        self._renderer = renderer
        self.records = Records(places.results / "records")
        self.config = settings(places.root)
        self._failing = Failing(places.results)
        self.failed_again: list[Failure] = []  # in this run, and before
        self._bases: dict[str, bytes] = {}

    def take(self, submission: Submission, again: bool) -> Pending | None:
        """Prepare a submission; None where its record is still good."""
        student, name = submission.student, submission.notebook
        try:
            data, unreadable = submission.read(), ""
        except (OSError, ValueError, CourseError) as error:
            data, unreadable = b"", f"the file can't be read: {str(error)[:200]}"
        digest = self._digest(data + unreadable.encode(), name)
        known = self.records.find(student, name)
        written = (
            self.places.autograded(student, name),
            self.places.feedback(student, name),
        )
        if (
            known is not None
            and known.digest == digest
            and not again
            and all(each.is_file() for each in written)
        ):
            return None
        began = time.monotonic()
        self.records.remove(student, name)  # from here on it counts as not graded
        self._take_in(submission, data)
        register(student, name, submission.timestamp, submission.lms_id, self.config)
        prepared = prepare(data, name, student, self.places, self.config, self.limits)
        if unreadable:
            prepared = Prepared(prepared.notebook, problem=unreadable)
        return Pending(submission, digest, prepared, began)

    def give_up(
        self, submission: Submission, error: Exception, digest: str = ""
    ) -> Pending:
        """Of a submission that nothing can be done with, the course's own notebook."""
        student, name = submission.student, submission.notebook
        register(student, name, submission.timestamp, submission.lms_id, self.config)
        said = (str(error).splitlines() or [""])[0][:200]
        note = f"grading stumbled over it: {type(error).__name__}: {said}"
        notebook = untouched(name, self.places)
        prepared = Prepared(notebook, problem=STUMBLED, notes=(note,))
        began = time.monotonic()
        return Pending(submission, digest, prepared, began, given_up=True)

    def grade(
        self, pending: Pending, answer: Answer | None, verdicts: Verdicts
    ) -> Record:
        """Write the graded notebook and the points; return what is to be recorded.

        Without a digest in it the submission is tried again at the next run.
        """
        submission, prepared = pending.submission, pending.prepared
        student, name = submission.student, submission.notebook
        executed = answer.executed if answer else None
        failed = answer.problem if answer else ""  # not the student's doing
        problem = prepared.problem or failed
        try:
            notebook = assemble(prepared, executed, problem)
        except ValueError as error:
            executed, failed = None, str(error)
            problem = failed
            notebook = assemble(prepared, None, problem)
        made, misplaced = settle(prepared.looks, verdicts.made)
        own_cards = show_verdicts(notebook, made)
        shipped = as_shipped(self.places.learner(name))
        why = explain(notebook, shipped, made, prepared.put_back)
        drop_looks(notebook, misplaced)
        reasons = (problem,) if problem else prepared.reasons + executed.reasons
        busy = not problem and verdicts.too_busy
        flags = (
            *submission.notes,
            *prepared.notes,
            *(executed.flags if executed else ()),
            *([TOO_BUSY] if busy else ()),
        )
        suspicions = (
            *prepared.suspicions,
            *(executed.suspicions if executed else ()),
            *verdicts.suspicions,
            *([OWN_CARDS] if own_cards else []),
        )
        autograded = self.places.autograded(student, name)
        said = Said(reasons, misplaced, why)
        exercises = save(notebook, student, name, said, self.config, autograded)
        return Record(
            student,
            name,
            "" if failed or busy else pending.digest,
            self.seed,
            exercises,
            reasons,
            tuple(dict.fromkeys(flags)),
            executed.seconds if executed else 0.0,
            memory_guard=executed.memory_guard if executed else "",
            suspicions=tuple(dict.fromkeys(suspicions)),
            misplaced=misplaced,
            answers=self._fingerprints(pending),
        )

    def _fingerprints(self, pending: Pending) -> dict[str, str]:
        if pending.prepared.problem:  # nothing of the submission is in it
            return {}
        shipped = as_shipped(self.places.learner(pending.submission.notebook))
        return fingerprint(pending.prepared.notebook, shipped)

    def render(self, pending: Pending) -> None:
        """Write the feedback page of a graded submission; may run in another thread.

        Raises:
            NoAnswer: it can't be rendered; says why.
            CourseError: the gradebook or the disk can't be used.
        """
        submission = pending.submission
        self._renderer.write(submission.student, submission.notebook)

    def finish(self, pending: Pending, record: Record) -> Record:
        """Write the record of a submission of which all else is written."""
        done = replace(record, wall_seconds=time.monotonic() - pending.began)
        failure = self._failing.note(done, pending.digest)
        if failure is not None and failure.always:
            self.failed_again.append(failure)
            done = replace(done, flags=(*done.flags, str(failure)))
        self.records.write(done)
        return done

    def hand_out(
        self, console: Console | None = None, seconds: float | None = None
    ) -> None:
        """Write report and tables of all records there are.

        Args:
            console: says that a locked gradebook is waited for.
            seconds: how long it is waited for.

        Raises:
            CourseError: the gradebook or the disk can't be used.
        """
        write_tables(self.places, console, seconds)

    def _take_in(self, submission: Submission, data: bytes) -> None:
        """Put the submission where nbgrader and its Formgrader look for it."""
        path = self.places.submitted(submission.student, submission.notebook)
        if not path.is_file() or path.read_bytes() != data:
            write_whole(path, data)
        stamp, text = path.with_name("timestamp.txt"), submission.timestamp
        if text and not (stamp.is_file() and stamp.read_text(encoding="utf-8") == text):
            write_whole(stamp, text.encode())

    def _digest(self, data: bytes, name: str) -> str:
        found = hashlib.sha256(course_digest().encode())
        found.update(repr((self.seed, asdict(self.limits))).encode())
        found.update(self._base(name))
        found.update(data)
        return found.hexdigest()

    def _base(self, name: str) -> bytes:
        if name not in self._bases:
            self._bases[name] = self.places.learner(name).read_bytes()
        return self._bases[name]
