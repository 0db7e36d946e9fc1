"""The workers of a Dask scheduler on other machines, as an executor."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from urllib.parse import urlsplit

import distributed
from distributed import Client, Security

from autograder.grading.unpickling import only_plain_pickles
from autograder.places import CourseError

CONNECT_SECONDS = 20
WORKERS_SECONDS = 60  # how long no worker at all may be there
RESULT_SECONDS = 60  # how long a result may take from its worker to here
LOCAL = {"127.0.0.1", "::1", "localhost"}


class WorkerFailed(BrokenExecutor):
    """No worker could run a task."""


class Remote(Executor):
    """Runs tasks on workers that have the course installed.

    Dask has an executor of its own (`Client.get_executor`). A result that can't be
    read, as a hostile worker sends it, leaves a future of that one pending for ever;
    here it ends with the error.
    """

    def __init__(self, address: str, security: Security | None) -> None:
        """Connect to the scheduler at `address`, such as tls://10.0.0.1:8786.

        Raises:
            CourseError: it can't be reached, or the network could listen.
        """
        _refuse_open(address)
        self._address = address
        self._no_worker_since: float | None = None
        with contextlib.ExitStack() as stack:
            stack.enter_context(only_plain_pickles())
            try:
                self._client = Client(
                    address, security=security, timeout=CONNECT_SECONDS
                )
            except (OSError, TimeoutError, ValueError) as error:
                raise CourseError(
                    f"The scheduler at {address} can't be reached: {error}"
                ) from None
            stack.enter_context(self._client)
            self._stack = stack.pop_all()

    def submit(self, task: Callable, /, *arguments: object, **named: object) -> Future:
        """Hand a task over; its future ends even where its result can't be read.

        It raises WorkerFailed where no worker could run it, and CourseError where the
        scheduler was lost.
        """
        ours: Future = Future()
        theirs = self._client.submit(task, *arguments, **named, pure=False)
        ours.add_done_callback(functools.partial(_give_up, theirs))
        theirs.add_done_callback(functools.partial(self._hand_over, ours))
        return ours

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the scheduler; tasks that still run are given up."""
        self._stack.close()

    @property
    def threads(self) -> int:
        """How many tasks all workers run at a time."""
        return sum(each["nthreads"] for each in self._workers().values())

    def look_for_workers(self) -> None:
        """Raise CourseError where there has been no worker for a minute."""
        if self._workers():
            self._no_worker_since = None
            return
        self._no_worker_since = self._no_worker_since or time.monotonic()
        if time.monotonic() - self._no_worker_since > WORKERS_SECONDS:
            raise CourseError(
                f"The scheduler at {self._address} has had no worker for "
                f"{WORKERS_SECONDS} s. Start workers (dask worker {self._address} "
                "...) where the course is installed, and run the same command again: "
                "it goes on where it stopped."
            )

    def _workers(self) -> dict:
        try:
            return self._client.scheduler_info(n_workers=-1)["workers"]
        except (OSError, RuntimeError, TimeoutError):
            return {}  # it may come back; where it does not, its tasks end as lost

    def _hand_over(self, ours: Future, theirs: distributed.Future) -> None:
        if not ours.set_running_or_notify_cancel():
            return
        try:
            if theirs.status == "error":
                # nothing of the error itself is loaded
                raise WorkerFailed("the worker that ran it died or failed")
            if theirs.status != "finished":
                raise CourseError(
                    f"The scheduler at {self._address} was lost. What was graded "
                    "stays: start the scheduler and its workers, and give the same "
                    "command again."
                )
            ours.set_result(theirs.result(RESULT_SECONDS))
        except BaseException as error:
            ours.set_exception(error)


def _give_up(theirs: distributed.Future, ours: Future) -> None:
    if ours.cancelled():
        with contextlib.suppress(Exception):
            theirs.cancel()


def _refuse_open(address: str) -> None:
    parts = urlsplit(address)
    if parts.scheme not in ("tls", "tcp") or not parts.port:
        raise CourseError(
            f"--scheduler {address}: an address is like tls://10.0.0.1:8786."
        )
    if parts.scheme == "tcp" and parts.hostname not in LOCAL:
        raise CourseError(
            f"--scheduler {address}: submissions and results would be open to all "
            "on the network. Start the scheduler with TLS certificates and name "
            "it as tls://..., with --tls-ca, --tls-cert and --tls-key."
        )
