"""`course grade`: from a folder or zip of submissions to gradebook, feedback, report.

The coordinator: it alone reads submissions and writes results. A record per
submission, written last, says that all the rest is in place; so whatever stops it,
the next run goes on with the submissions that have none.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from distributed import Future, Security
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from autograder import exports
from autograder.grading.engine import Answer, Engine, course_digest
from autograder.grading.jobs import Job
from autograder.grading.limits import Limits, read_limits
from autograder.grading.prepare import Prepared, prepare
from autograder.grading.readiness import (
    alone,
    check_course,
    class_seed,
    fill_gradebook,
    sweep,
)
from autograder.grading.settle import Feedback, assemble, register, save
from autograder.grading.stopping import Stop
from autograder.intake import Submission, find_submissions
from autograder.nbgrader_settings import settings
from autograder.places import CourseError, Places, course_places
from autograder.records import Record, Records, write_whole
from autograder.report import write_report

POLL_SECONDS = 0.5


@dataclass(frozen=True)
class Options:
    """How to grade; the fields are the options of `course grade`."""

    notebooks: Sequence[str] = ()
    pattern: str | None = None
    seed: int | None = None
    jobs: int | None = None
    isolated: bool = True
    scheduler: str | None = None
    security: Security | None = None
    again: bool = False


@dataclass(frozen=True)
class Summary:
    """What one run did: counts of submissions, and whether it came to its end.

    not_run: where a worker failed, not the submission; tried again at the next run.
    """

    finished: bool
    graded: int = 0
    unchanged: int = 0
    reasons: int = 0
    flags: int = 0
    not_run: int = 0


@dataclass
class Pending:
    """A submission on its way: what was prepared of it, and since when."""

    submission: Submission
    digest: str
    prepared: Prepared
    began: float


def grade(
    path: Path,
    options: Options,
    root: Path | None = None,
    console: Console | None = None,
    stop: Stop | None = None,
) -> Summary:
    """Grade what is in `path` and write all results; show progress.

    A wish to stop ends it in good order: what is done is done. Raises CourseError
    where it can't begin; nothing is changed then.
    """
    stop = stop or Stop()
    places = course_places(root)
    console = console or Console()
    limits = read_limits()
    found = find_submissions(path, places, options.notebooks, options.pattern)
    names = sorted({each.notebook for each in found.submissions})
    check_course(places, names, options.seed)
    engine = Engine(
        options.jobs or os.cpu_count() or 1,
        options.isolated,
        options.scheduler,
        options.security,
    )
    with engine, alone(places):
        sweep(places)
        fill_gradebook(places, names)
        coordinator = Coordinator(places, options, limits, engine, console)
        for line in found.left_out:
            console.print(f"Left out: {line}", style="yellow", markup=False)
        with stop.steps():
            summary = coordinator.run(found.submissions, stop)
            coordinator.hand_out()
    return summary


class Coordinator:
    """Grades submissions one after the other, several at a time."""

    def __init__(
        self,
        places: Places,
        options: Options,
        limits: Limits,
        engine: Engine,
        console: Console,
    ) -> None:
        """Prepare to write the results of the course at `places`."""
        self.places, self.options, self.engine = places, options, engine
        self.console = console
        self.records = Records(places.results / "records")
        self.config = settings(places.root)
        self.limits = limits
        self.seed = class_seed(places, options.seed)
        self.feedback = Feedback(self.config)
        self._bases: dict[str, bytes] = {}

    def run(self, submissions: Sequence[Submission], stop: Stop) -> Summary:
        """Grade all that changed, until it is done or `stop`; say what was done."""
        waiting: dict[Future, Pending] = {}
        counts: Counter[str] = Counter()
        queue = iter(submissions)
        with _progress(self.console) as bar:
            task = bar.add_task("grading", total=len(submissions), rate="")
            began = time.monotonic()

            def count(record: Record) -> None:
                counts["graded"] += 1
                counts["reasons"] += bool(record.reasons)
                counts["flags"] += bool(record.flags)
                counts["not_run"] += not record.digest
                rate = counts["graded"] / (time.monotonic() - began) * 60
                bar.update(task, advance=1, rate=f"{rate:.1f} a minute")

            more = True
            while (more or waiting) and not stop.wished:
                while more and len(waiting) < self.engine.room and not stop.wished:
                    submission = next(queue, None)
                    more = submission is not None
                    if not more:
                        break
                    pending = self._take(submission)
                    if pending is None:
                        counts["unchanged"] += 1
                        bar.advance(task)
                    elif pending.prepared.problem:
                        count(self._settle(pending, None))
                    else:
                        waiting[self._submit(pending)] = pending
                done = self.engine.next_done(POLL_SECONDS) if waiting else None
                if done is not None and done in waiting:
                    answer = self.engine.answer(done)
                    count(self._settle(waiting.pop(done), answer))
            self.engine.cancel(list(waiting))
        finished = not more and not waiting
        return Summary(finished=finished, **counts)

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
            and not self.options.again
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
        stamp = path.with_name("timestamp.txt")
        if submission.timestamp and not stamp.is_file():
            write_whole(stamp, submission.timestamp.encode())

    def _submit(self, pending: Pending) -> Future:
        import nbformat

        notebook = pending.prepared.notebook
        submission = pending.submission
        job = Job(
            nbformat.writes(notebook),
            self._exercises(submission.notebook),
            self.seed,
            self.limits,
        )
        return self.engine.submit(f"{submission.student}/{submission.notebook}", job)

    def _settle(self, pending: Pending, answer: Answer | None) -> Record:
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
        flags = (
            *submission.notes,
            *prepared.notes,
            *(executed.flags if executed else ()),
        )
        autograded = self.places.autograded(student, name)
        exercises = save(notebook, student, name, reasons, self.config, autograded)
        self.feedback.write(
            autograded, student, name, self.places.feedback(student, name)
        )
        record = Record(
            student,
            name,
            "" if failed else pending.digest,  # without one, it is tried again
            self.seed,
            exercises,
            reasons,
            tuple(dict.fromkeys(flags)),
            executed.seconds if executed else 0.0,
            time.monotonic() - pending.began,
        )
        self.records.write(record)
        return record

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
        import json

        notebook = json.loads(self._base(name))
        return tuple(notebook["metadata"]["course"]["exercises"])


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=console,
    )
