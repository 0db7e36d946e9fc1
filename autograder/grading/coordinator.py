"""The coordinator: one process reads submissions, hands them out, writes results."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import nbformat
from rich.console import Console

from autograder.failing import Failure
from autograder.grading.engine import Answer, Engine
from autograder.grading.jobs import Job
from autograder.grading.judge import Trials
from autograder.grading.judging import Judging, Verdicts
from autograder.grading.outages import everybodys, when_unlocked
from autograder.grading.progress import Bar, Waits
from autograder.grading.results import Pending, Results
from autograder.grading.stopping import Stop
from autograder.intake import Submission
from autograder.records import Record

T = TypeVar("T")
POLL_SECONDS = 0.5
SAY_SECONDS = 5.0  # between two lines of progress in a file
BESIDE = 4  # submissions that are judged, written and rendered while others run


@dataclass(frozen=True)
class Summary:
    """What one run did: counts of submissions, and whether it came to its end.

    not_run: where a worker failed, or the machine was too busy for a verdict, not the
        submission; tried again at the next run.
    failed_again: those of them that have failed in every run so far, and several times.
    held_back: not taken, as it can't be told what counts.
    """

    finished: bool
    graded: int = 0
    unchanged: int = 0
    reasons: int = 0
    flags: int = 0
    not_run: int = 0
    failed_again: tuple[Failure, ...] = ()
    held_back: int = 0


class Coordinator:
    """Takes submissions through their steps, several at a time.

    A step that takes long runs elsewhere, and its future is waited for: the trials and
    the verdicts are the judge's, cells are the engine's, feedback pages the renderer's.
    Between the steps one thread, this one, writes gradebook and files.
    """

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
        self._steps: dict[Future, Callable[[Future], None]] = {}  # and what comes then
        self._waits = Waits(engine.runs)
        self._suspects: list[Pending] = []
        self._counts: Counter[str] = Counter()

    def run(self, submissions: Sequence[Submission], stop: Stop) -> Summary:
        """Grade all that changed, until it is done or `stop`; say what was done."""
        queue = iter(submissions)
        more, began = True, time.monotonic()
        said = began
        with (
            Bar(self.console) as bar,
            ThreadPoolExecutor(1) as self._judge,
            ThreadPoolExecutor(1) as self._render,
        ):
            task = bar.add_task("grading", total=len(submissions), rate="")
            while (more or self._steps or self._suspects) and not stop.wished:
                while more and len(self._steps) < self.engine.room + BESIDE:
                    submission = next(queue, None)
                    more = submission is not None
                    if not more or stop.wished:
                        break
                    self._begin(submission)
                if not more and not self._steps and self._suspects:
                    self._try_out(self._suspects.pop())
                if self._steps:
                    done = self.engine.next_done(self._steps, POLL_SECONDS)
                    if done is not None and not stop.wished:
                        self._waits.end(done)
                        self._steps.pop(done)(done)
                done = self._counts["graded"] + self._counts["unchanged"]
                rate = self._counts["graded"] / (time.monotonic() - began) * 60
                bar.waiting = self._waits.describe()
                bar.update(task, completed=done, rate=f"{rate:.1f} a minute")
                if (
                    not self.console.is_terminal
                    and time.monotonic() > said + SAY_SECONDS
                ):
                    said = time.monotonic()  # no bar is drawn into a file
                    parts = [f"{done} of {len(submissions)} graded", bar.waiting]
                    line = "; ".join(filter(None, parts))
                    self.console.print(line, markup=False, soft_wrap=True)
            for each in self._steps:
                each.cancel()
        finished = not (more or self._steps or self._suspects)
        again = tuple(self.results.failed_again)
        return Summary(finished=finished, failed_again=again, **self._counts)

    def _begin(self, submission: Submission) -> None:
        pending = self._own(
            lambda: self.results.take(submission, self.again), submission
        )
        if pending is None:
            self._counts["unchanged"] += 1
        elif pending.prepared.problem:
            self._grade(pending, None, Verdicts())
        else:
            self._try_out(pending)

    def _try_out(self, pending: Pending) -> None:
        """Run the cells, on what the checks try out."""
        trials = self._judge.submit(self.judging.trials, pending.submission.notebook)
        self._steps[trials] = lambda done: self._execute(pending, done.result())

    def _execute(self, pending: Pending, trials: Trials) -> None:
        text = nbformat.writes(pending.prepared.notebook)
        left_out = pending.prepared.left_out
        limits = self.results.limits
        job = Job(text, trials.packed, trials.names, limits, left_out)
        cells = self.engine.submit(job)
        self._waits.begin(cells, pending.submission)
        self._steps[cells] = lambda done: self._judge_it(
            pending, self.engine.answer(done)
        )

    def _judge_it(self, pending: Pending, answer: Answer) -> None:
        observed = answer.executed.observed if answer.executed else {}
        notebook = pending.prepared.notebook
        verdicts = self._judge.submit(self.judging.verdicts, notebook, observed)
        self._steps[verdicts] = lambda done: self._settle(pending, answer, done)

    def _settle(self, pending: Pending, answer: Answer, done: Future) -> None:
        """Grade it; what gave nothing is tried again at the end and alone.

        It may have been at the same worker as one that brings workers down, or on a
        machine that others kept busy.
        """
        verdicts = self._own(done.result, pending.submission)
        if isinstance(verdicts, Pending):
            self._grade(verdicts, None, Verdicts())
        elif (answer.problem or verdicts.too_busy) and not pending.suspect:
            pending.suspect = True
            self._suspects.append(pending)
        else:
            self._grade(pending, answer, verdicts)

    def _grade(
        self, pending: Pending, answer: Answer | None, verdicts: Verdicts
    ) -> None:
        """Write points and graded notebook, whatever is in it; then its page."""
        record = self._own(
            lambda: self.results.grade(pending, answer, verdicts), pending
        )
        if isinstance(record, Pending):
            self._grade(record, None, Verdicts())
            return
        page = self._render.submit(self.results.render, pending)
        self._steps[page] = lambda done: self._finish(pending, record, done)

    def _finish(self, pending: Pending, record: Record, page: Future) -> None:
        rendered = self._own(page.result, pending)
        if isinstance(rendered, Pending):
            self._grade(rendered, None, Verdicts())
            return
        record = self.results.finish(pending, record)
        self._counts["graded"] += 1
        self._counts["reasons"] += bool(record.reasons)
        self._counts["flags"] += bool(record.suspicions)
        self._counts["not_run"] += not record.digest

    def _own(self, step: Callable[[], T], of: Submission | Pending) -> T | Pending:
        """Take a step with one submission; where it fails, so does this one alone.

        Raises:
            CourseError: the error is everybody's, such as a full disk.
            Exception: that of a submission that was given up already.
        """
        pending = of if isinstance(of, Pending) else None
        gradebook = self.results.places.gradebook
        try:
            return when_unlocked(step, gradebook, self.console)
        except Exception as error:
            stop = everybodys(error, gradebook)
            if stop is error:
                raise
            if stop is not None:
                raise stop from error
            if pending is not None and pending.given_up:
                raise
            submission = pending.submission if pending else of
            digest = pending.digest if pending else ""
            give_up = partial(self.results.give_up, submission, error, digest)
            return when_unlocked(give_up, gradebook, self.console)
