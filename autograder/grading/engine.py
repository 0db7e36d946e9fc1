"""Where jobs run: threads of this process, or Dask workers on other machines.

Either is an executor of `concurrent.futures`, and the same is done to a job in both.
Each thread drives one kernel at a time.
"""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Collection
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from dataclasses import dataclass
from typing import TYPE_CHECKING

import nbformat

from autograder.grading.jobs import Executed, Job, from_json, to_json
from autograder.grading.kernels import Kernels
from autograder.grading.task import OTHER_COURSE, course_digest, run_here, run_there
from autograder.places import CourseError

if TYPE_CHECKING:
    from distributed import Security

    from autograder.grading.remote import Remote


@dataclass(frozen=True)
class Answer:
    """What came of a job: the result, or why there is none."""

    executed: Executed | None
    problem: str = ""


class Engine:
    """Runs jobs; use it as a context manager."""

    def __init__(
        self,
        threads: int,
        isolated: bool = True,
        scheduler: str | None = None,
        security: Security | None = None,
    ) -> None:
        """Prepare to run `threads` jobs at a time, or on the workers of `scheduler`.

        Args:
            threads: of this process; without meaning where there is a scheduler.
            isolated: lock submissions in.
            scheduler: such as tls://10.0.0.1:8786.
            security: certificates for it.
        """
        self.isolated, self._scheduler, self._security = isolated, scheduler, security
        self.threads = threads
        self._remote: Remote | None = None
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Engine:
        """Start kernels or connect.

        Raises:
            CourseError: isolation can't be had, or the scheduler can't be reached.
        """
        if self._scheduler is None:
            kernels = Kernels(self.isolated)
            self._executor = ThreadPoolExecutor(self.threads)
            self._stack.callback(self._executor.shutdown, cancel_futures=True)
            self._stack.callback(kernels.close)  # first: else jobs would be waited for
            self._run = functools.partial(run_here, kernels)
        else:
            from autograder.grading.remote import Remote  # Dask is slow to import

            self._executor = self._remote = Remote(self._scheduler, self._security)
            self._stack.callback(self._remote.shutdown)
            self._run = functools.partial(run_there, self.isolated, course_digest())
        return self

    def __exit__(self, *_: object) -> None:
        """End kernels, or leave the scheduler; jobs that still run are given up."""
        self._stack.close()

    @property
    def room(self) -> int:
        """How many jobs to hand over before the first is done."""
        return self._remote.threads + 2 if self._remote else self.threads + 1

    def submit(self, job: Job) -> Future:
        """Hand a job over."""
        return self._executor.submit(self._run, to_json(job))

    def runs(self, future: Future) -> bool:
        """Whether a job has begun; of one on other machines nothing tells it waits."""
        return self._remote is not None or future.running()

    def next_done(self, waiting: Collection[Future], seconds: float) -> Future | None:
        """Return one of the jobs that has ended; None where none does in `seconds`.

        Raises:
            CourseError: there has been no worker for a minute.
        """
        done, _ = wait(waiting, seconds, FIRST_COMPLETED)
        if not done and self._remote:
            self._remote.look_for_workers()
        return next(iter(done), None)

    def answer(self, future: Future) -> Answer:
        """What came of a job that has ended.

        Raises:
            CourseError: the scheduler is gone, or a worker has another course.
        """
        try:
            executed, problem = _read(future.result(), self._remote is not None)
        except CourseError:
            raise
        except BrokenExecutor as error:
            return Answer(None, f"it was not run: {error}")
        except Exception as error:
            return Answer(None, f"its result can't be read ({str(error)[:200]})")
        if problem.startswith(OTHER_COURSE):
            raise CourseError(
                f"{problem}. Install there what is installed here, and give the same "
                "command again: it goes on where it stopped."
            )
        return Answer(executed, problem)


def _read(returned: object, of_stranger: bool) -> tuple[Executed | None, str]:
    """The result and the problem in what a task returned; raises where it is neither.

    `of_stranger` tells that it comes from another process.
    """
    data = bytes(returned)
    said = json.loads(data)
    if set(said) == {"problem"}:
        return None, str(said["problem"])[:500]
    executed = from_json(data)
    if of_stranger:
        nbformat.validate(nbformat.reads(executed.text, as_version=4))
    return executed, ""
