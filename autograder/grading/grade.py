"""`course grade`: from a folder or zip of submissions to gradebook, feedback, report.

The coordinator: it alone reads submissions and writes results. A record per
submission, written last, says that all the rest is in place; so whatever stops it,
the next run goes on with the submissions that have none.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from distributed import Future, Security
from filelock import FileLock, Timeout
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from autograder import exports
from autograder.build import render
from autograder.grading.engine import Answer, Engine, course_digest
from autograder.grading.execution import Job
from autograder.grading.limits import read_limits
from autograder.grading.prepare import Prepared, prepare
from autograder.grading.settle import Feedback, assemble, register, save
from autograder.intake import Submission, find_submissions
from autograder.nbgrader_settings import settings
from autograder.places import CourseError, Places, course_places
from autograder.records import Record, Records, write_whole
from autograder.report import write_report
from course.seed import course_seed

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
    """What one run did: counts of submissions, and whether it came to its end."""

    graded: int
    unchanged: int
    reasons: int
    flags: int
    finished: bool


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
) -> Summary:
    """Grade what is in `path` and write all results; show progress.

    Ctrl-C ends it in good order: what is done is done. Raises CourseError where it
    can't begin; nothing is changed then.
    """
    places = course_places(root)
    console = console or Console()
    found = find_submissions(path, places, options.notebooks, options.pattern)
    _check_writable(places)
    with _alone(places):
        names = sorted({each.notebook for each in found.submissions})
        engine = Engine(
            options.jobs or os.cpu_count() or 1,
            options.isolated,
            options.scheduler,
            options.security,
        )
        with engine:
            _fill_gradebook(places, names)
            coordinator = Coordinator(places, options, engine, console)
            for line in found.left_out:
                console.print(f"Left out: {line}", style="yellow", markup=False)
            summary = coordinator.run(found.submissions)
        coordinator.hand_out()
    return summary


class Coordinator:
    """Grades submissions one after the other, several at a time."""

    def __init__(
        self, places: Places, options: Options, engine: Engine, console: Console
    ) -> None:
        """Prepare to write the results of the course at `places`."""
        self.places, self.options, self.engine = places, options, engine
        self.console = console
        self.records = Records(places.results / "records")
        self.config = settings(places.root)
        self.limits = read_limits()
        self.seed = class_seed(places, options.seed)
        self.feedback = Feedback(self.config)
        self._bases: dict[str, bytes] = {}

    def run(self, submissions: Sequence[Submission]) -> Summary:
        """Grade all that changed; say what was done."""
        waiting: dict[Future, Pending] = {}
        graded = unchanged = reasons = flags = 0
        finished = False
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
        )
        queue = iter(submissions)
        with Progress(*columns, console=self.console) as bar:
            task = bar.add_task("grading", total=len(submissions), rate="")
            began = time.monotonic()
            try:
                more = True
                while more or waiting:
                    while more and len(waiting) < self.engine.room:
                        submission = next(queue, None)
                        more = submission is not None
                        if not more:
                            break
                        pending = self._take(submission)
                        if pending is None:
                            unchanged += 1
                            bar.advance(task)
                        elif pending.prepared.problem:
                            record = self._settle(pending, None)
                            graded += 1
                            reasons += bool(record.reasons)
                            bar.advance(task)
                        else:
                            waiting[self._submit(pending)] = pending
                    done = self.engine.next_done(POLL_SECONDS) if waiting else None
                    if done is not None and done in waiting:
                        record = self._settle(
                            waiting.pop(done), self.engine.answer(done)
                        )
                        graded += 1
                        reasons += bool(record.reasons)
                        flags += bool(record.flags)
                        minutes = (time.monotonic() - began) / 60
                        rate = f"{graded / minutes:.1f} a minute"
                        bar.update(task, advance=1, rate=rate)
                finished = True
            except KeyboardInterrupt:
                self.engine.cancel(list(waiting))
                bar.stop()
        return Summary(graded, unchanged, reasons, flags, finished)

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
        problem = prepared.problem or (answer.problem if answer else "")
        try:
            notebook = assemble(prepared, executed, problem)
        except ValueError as error:
            executed, problem = None, str(error)
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
            pending.digest,
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


def class_seed(places: Places, wanted: int | None) -> int:
    """The seed of this class: as told, or as kept in results/seed, or a new one."""
    path = places.results / "seed"
    if wanted is None and os.environ.get("COURSE_SEED", "").strip():
        wanted = course_seed()
    if wanted is None and path.is_file():
        text = path.read_text(encoding="utf-8").strip()
        if not text.isdecimal():
            raise CourseError(f"{path} holds no whole number: correct or delete it.")
        return int(text)
    seed = secrets.randbelow(10**6) if wanted is None else wanted
    write_whole(path, f"{seed}\n".encode())
    return seed


def _fill_gradebook(places: Places, names: list[str]) -> None:
    """Let nbgrader record the notebooks that its gradebook does not know yet."""
    from nbgrader.api import Gradebook

    missing = names
    if places.gradebook.is_file():
        with Gradebook(f"sqlite:///{places.gradebook}") as gradebook:
            known = {each.name for each in gradebook.assignments}
        missing = [name for name in names if name not in known]
    if missing:
        render(places, missing, places.gradebook)


def _check_writable(places: Places) -> None:
    for folder in _outputs(places):
        existing = next(each for each in (folder, *folder.parents) if each.exists())
        if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
            raise CourseError(
                f"{existing} can't be written, where results go: make it writable, or "
                "grade in a copy of the course that is yours (--root)."
            )


def _outputs(places: Places) -> Iterator[Path]:
    yield places.gradebook.parent
    for each in ("submitted", "autograded", "feedback", "results"):
        yield places.root / "autograder" / each


def _alone(places: Places) -> FileLock:
    """A lock that says so where another run grades the same course."""
    places.results.mkdir(parents=True, exist_ok=True)
    lock = FileLock(places.results / ".lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise CourseError(
            f"Another `course grade` is at work in {places.root}: wait for it, or stop "
            "it (it loses nothing)."
        ) from None
    return lock
