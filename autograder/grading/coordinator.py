"""The coordinator: one process reads submissions, hands them out, writes results."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import TypeVar

import nbformat
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from autograder.grading.engine import Answer, Engine
from autograder.grading.jobs import Job
from autograder.grading.judging import Judging, Verdicts
from autograder.grading.outages import everybodys, is_locked, wait_for_gradebook
from autograder.grading.results import Pending, Results
from autograder.grading.stopping import Stop
from autograder.intake import Submission

T = TypeVar("T")
POLL_SECONDS = 0.5


@dataclass(frozen=True)
class Summary:
    """What one run did: counts of submissions, and whether it came to its end.

    not_run: where a worker failed, or the machine was too busy for a verdict, not the
        submission; tried again at the next run.
    held_back: not taken, as it can't be told what counts.
    """

    finished: bool
    graded: int = 0
    unchanged: int = 0
    reasons: int = 0
    flags: int = 0
    not_run: int = 0
    held_back: int = 0


class Coordinator:
    """Grades submissions one after the other, several at a time."""

    def __init__(
        self,
        results: Results,
        engine: Engine,
        judging: Judging,
        console: Console,
        again: bool = False,
    ) -> None:
        """Prepare to grade.

        Args:
            results: takes submissions in, and writes what came of them.
            engine: runs the jobs, which only observe.
            judging: makes the verdicts.
            console: shows progress.
            again: grade what did not change, too.
        """
        self.results, self.engine, self.judging = results, engine, judging
        self.console, self.again = console, again
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
        pending = self._own(
            lambda: self.results.take(submission, self.again), submission
        )
        if pending is None:
            self._counts["unchanged"] += 1
        elif pending.prepared.problem:
            self._settle(pending, None, Verdicts())
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
        notebook = pending.prepared.notebook
        observed = answer.executed.observed if answer.executed else {}
        verdicts = self.judging.verdicts(notebook, observed)
        if (answer.problem or verdicts.too_busy) and not pending.suspect:
            pending.suspect = True
            self._suspects.append(pending)
        else:
            self._settle(pending, answer, verdicts)

    def _own(self, step: Callable[[], T], submission: Submission) -> T | Pending:
        """Take a step with one submission; where it fails, so does this one alone.

        Raises:
            CourseError: the error is everybody's, such as a full disk.
        """
        try:
            return step()
        except Exception as error:
            gradebook = self.results.places.gradebook
            if is_locked(error):
                wait_for_gradebook(gradebook, self.console)
                return step()
            if (stop := everybodys(error, gradebook)) is not None:
                raise stop from error
            return self.results.given_up(submission, error)

    def _submit(self, pending: Pending) -> None:
        notebook = pending.prepared.notebook
        submission = pending.submission
        trials = self.judging.trials(submission.notebook)
        text = nbformat.writes(notebook)
        seed, limits = self.results.seed, self.results.limits
        left_out = pending.prepared.left_out
        job = Job(text, trials.packed, trials.names, seed, limits, left_out)
        self._waiting[self.engine.submit(job)] = pending

    def _settle(
        self, pending: Pending, answer: Answer | None, verdicts: Verdicts
    ) -> None:
        """Write everything about one submission, whatever is in it."""
        submission = pending.submission
        written = self._own(
            lambda: self.results.write(pending, answer, verdicts), submission
        )
        if isinstance(written, Pending):  # given up: with the course's own notebook
            failed = replace(written, digest=pending.digest)
            written = self.results.write(failed, None, Verdicts())
        self._counts["graded"] += 1
        self._counts["reasons"] += bool(written.reasons)
        self._counts["flags"] += bool(written.flags)
        self._counts["not_run"] += not written.digest


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=console,
    )
