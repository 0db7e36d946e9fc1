"""The coordinator: it alone reads submissions and writes results.

A record per submission, written last, says that all the rest is in place; so whatever
stops it, the next run goes on with the submissions that have none.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass

import nbformat
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from autograder import exports
from autograder.grading.engine import Answer, Engine
from autograder.grading.jobs import Executed, Job
from autograder.grading.limits import Limits
from autograder.grading.prepare import Prepared, prepare
from autograder.grading.settle import Feedback, assemble, register, save
from autograder.grading.stopping import Stop
from autograder.grading.task import course_digest
from autograder.intake import Submission
from autograder.nbgrader_settings import settings
from autograder.places import CourseError, Places
from autograder.records import Record, Records
from autograder.report import write_report
from autograder.verdict_outputs import verdicts
from course.checks.verdicts import Outcome
from course.whole_files import write_whole

POLL_SECONDS = 0.5
TOO_BUSY = (
    "A check gave no verdict, alone on the machine as well: it was too busy. The next "
    "run of the same command tries again"
)


@dataclass(frozen=True)
class Summary:
    """What one run did: counts of submissions, and whether it came to its end.

    not_run: where a worker failed, or the machine was too busy for a verdict, not the
        submission; tried again at the next run.
    """

    finished: bool
    graded: int = 0
    unchanged: int = 0
    reasons: int = 0
    flags: int = 0
    not_run: int = 0


@dataclass
class Pending:
    """A submission on its way: what was prepared of it, and since when.

    suspect: no worker could run it so far, or a check in it gave no verdict.
    """

    submission: Submission
    digest: str
    prepared: Prepared
    began: float
    suspect: bool = False


class Coordinator:
    """Grades submissions one after the other, several at a time."""

    def __init__(
        self,
        places: Places,
        engine: Engine,
        console: Console,
        limits: Limits,
        seed: int,
        again: bool = False,
    ) -> None:
        """Prepare to write the results of the course at `places`.

        Args:
            places: of the course.
            engine: runs the jobs.
            console: shows progress.
            limits: of each submission.
            seed: of the class.
            again: grade what did not change, too.
        """
        self.places, self.engine, self.console = places, engine, console
        self.limits, self.seed, self.again = limits, seed, again
        self.records = Records(places.results / "records")
        self.config = settings(places.root)
        self.feedback = Feedback(self.config)
        self._bases: dict[str, bytes] = {}
        self._waiting: dict[Future, Pending] = {}
        self._suspects: list[Pending] = []
        self._counts: Counter[str] = Counter()

    def run(self, submissions: Sequence[Submission], stop: Stop) -> Summary:
        """Grade all that changed, until it is done or `stop`; say what was done."""
        queue = iter(submissions)
        more, began = True, time.monotonic()
        with _progress(self.console) as bar:
            task = bar.add_task("grading", total=len(submissions), rate="")
            while (more or self._waiting or self._suspects) and not stop.wished:
                while more and len(self._waiting) < self.engine.room:
                    submission = next(queue, None)
                    more = submission is not None
                    if not more or stop.wished:
                        break
                    self._begin(submission)
                if not more and not self._waiting and self._suspects:
                    self._submit(self._suspects.pop())
                if self._waiting:
                    self._end(self.engine.next_done(self._waiting, POLL_SECONDS))
                done = self._counts["graded"] + self._counts["unchanged"]
                rate = self._counts["graded"] / (time.monotonic() - began) * 60
                bar.update(task, completed=done, rate=f"{rate:.1f} a minute")
            for each in self._waiting:
                each.cancel()
        finished = not (more or self._waiting or self._suspects)
        return Summary(finished=finished, **self._counts)

    def _begin(self, submission: Submission) -> None:
        pending = self._take(submission)
        if pending is None:
            self._counts["unchanged"] += 1
        elif pending.prepared.problem:
            self._settle(pending, None)
        else:
            self._submit(pending)

    def _end(self, done: Future | None) -> None:
        """Settle what has ended; what gave nothing, at the end and alone.

        It may have been at the same worker as one that brings workers down, or on a
        machine that others kept busy.
        """
        if done is None:
            return
        pending, answer = self._waiting.pop(done), self.engine.answer(done)
        if (answer.problem or _too_busy(answer.executed)) and not pending.suspect:
            pending.suspect = True
            self._suspects.append(pending)
        else:
            self._settle(pending, answer)

    def hand_out(self) -> None:
        """Write report and tables of all records there are."""
        results = self.places.results
        write_report(self.records, results / "report.html", self.places)
        exports.write_grades(self.places.gradebook, results / "grades.csv")
        exports.write_canvas(self.places.gradebook, results / "canvas.csv")

    def _take(self, submission: Submission) -> Pending | None:
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
            and not self.again
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

    def _take_in(self, submission: Submission, data: bytes) -> None:
        """Put the submission where nbgrader and its Formgrader look for it."""
        path = self.places.submitted(submission.student, submission.notebook)
        if not path.is_file() or path.read_bytes() != data:
            write_whole(path, data)
        stamp, text = path.with_name("timestamp.txt"), submission.timestamp
        if text and not (stamp.is_file() and stamp.read_text(encoding="utf-8") == text):
            write_whole(stamp, text.encode())

    def _submit(self, pending: Pending) -> None:
        notebook = pending.prepared.notebook
        submission = pending.submission
        job = Job(
            nbformat.writes(notebook),
            self._exercises(submission.notebook),
            self.seed,
            self.limits,
        )
        self._waiting[self.engine.submit(job)] = pending

    def _settle(self, pending: Pending, answer: Answer | None) -> None:
        """Write everything about one submission; its record last."""
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
        reasons = (problem,) if problem else executed.reasons
        busy = not problem and _too_busy(executed)
        flags = (
            *submission.notes,
            *prepared.notes,
            *(executed.flags if executed else ()),
            *([TOO_BUSY] if busy else ()),
        )
        autograded = self.places.autograded(student, name)
        exercises = save(notebook, student, name, reasons, self.config, autograded)
        self.feedback.write(
            autograded, student, name, self.places.feedback(student, name)
        )
        record = Record(
            student,
            name,
            "" if failed or busy else pending.digest,  # without one: tried again
            self.seed,
            exercises,
            reasons,
            tuple(dict.fromkeys(flags)),
            executed.seconds if executed else 0.0,
            time.monotonic() - pending.began,
            executed.memory_guard if executed else "",
        )
        self.records.write(record)
        self._counts["graded"] += 1
        self._counts["reasons"] += bool(record.reasons)
        self._counts["flags"] += bool(record.flags)
        self._counts["not_run"] += bool(failed or busy)

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

    def _exercises(self, name: str) -> tuple[str, ...]:
        notebook = json.loads(self._base(name))
        return tuple(notebook["metadata"]["course"]["exercises"])


def _too_busy(executed: Executed | None) -> bool:
    """Whether the last word on an exercise is that the machine was too busy."""
    if executed is None or Outcome.NO_VERDICT not in executed.text:
        return False  # most texts need not be read for this
    try:
        cells = nbformat.reads(executed.text, as_version=4).cells
        last = {v.get("exercise"): v for cell in cells for v in verdicts(cell)}
    except Exception:
        return False  # whoever settles it says what is wrong with it
    return any(each.get("outcome") == Outcome.NO_VERDICT for each in last.values())


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=console,
    )
