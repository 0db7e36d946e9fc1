"""Where jobs run: threads of this process, or Dask workers on other machines.

The same task runs in both: it gets a job as JSON and returns a result as JSON. Each
thread of a worker drives one kernel at a time.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import json
import queue
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import dask
import nbformat
from distributed import Client, Future, LocalCluster, Security, get_worker

import course
from autograder.grading.execution import execute
from autograder.grading.jobs import Executed, Job, from_json, job_from_json, to_json
from autograder.grading.kernels import Kernels
from autograder.grading.unpickling import only_plain_pickles
from autograder.places import CourseError

CONNECT_SECONDS = 20
WORKERS_SECONDS = 60  # how long no worker at all may be there
PRIVATE = "127.0.0.1:0"  # Dask would open its pages about itself to the network
SETTINGS = {
    # it asks for all threads' frames, which can block CPython (course.thread_frames)
    "distributed.worker.profile.enabled": False,
    "distributed.scheduler.http.routes": [],  # nor has it any page to show
    "distributed.worker.http.routes": [],
}
LOCAL = {"127.0.0.1", "::1", "localhost"}
OTHER_COURSE = "Another version of the course is installed on the worker"
DIED = ("kernel died", "Kernel died", "server ended", "ServerEnded")


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
        self._stack = contextlib.ExitStack()
        self._ended: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._last_worker = time.monotonic()

    def __enter__(self) -> Engine:
        """Start kernels or connect.

        Raises:
            CourseError: isolation can't be had, or the scheduler can't be reached.
        """
        self._stack.enter_context(dask.config.set(SETTINGS))
        try:
            if self._scheduler is None:
                self._client = self._start_here()
            else:
                self._stack.enter_context(only_plain_pickles())
                self._client = self._connect(self._scheduler)
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """End kernels, or leave the scheduler; jobs that still run are given up."""
        if self._scheduler is None:
            forget_kernels()  # else Dask would wait for the jobs that they run
        self._stack.close()

    def _start_here(self) -> Client:
        _stopped.clear()
        self._stack.callback(forget_kernels)
        worker_kernels(self.isolated).server()
        cluster = LocalCluster(
            n_workers=1,
            processes=False,
            threads_per_worker=self.threads,
            dashboard_address=PRIVATE,
            worker_dashboard_address=PRIVATE,
            memory_limit=0,  # kernels have their own limit
            silence_logs="ERROR",
        )
        self._stack.callback(cluster.close)
        return self._stack.enter_context(Client(cluster))

    def _connect(self, address: str) -> Client:
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
        try:
            client = Client(address, security=self._security, timeout=CONNECT_SECONDS)
        except (OSError, TimeoutError, ValueError) as error:
            raise CourseError(
                f"The scheduler at {address} can't be reached: {error}"
            ) from None
        return self._stack.enter_context(client)

    @property
    def room(self) -> int:
        """How many jobs to hand over before the first is done."""
        if self._scheduler is None:
            return self.threads + 1
        threads = sum(each["nthreads"] for each in self._workers().values())
        return max(1, threads + 2)

    def submit(self, name: str, job: Job) -> Future:
        """Hand a job over; `name` is told apart from all others."""
        future = self._client.submit(
            run_task,
            to_json(job),
            self.isolated,
            course_digest(),
            key=f"{name}-{time.monotonic_ns()}",
            pure=False,
        )
        future.add_done_callback(self._ended.put)
        return future

    def next_done(self, seconds: float) -> Future | None:
        """Return a job that has ended; None where none ends within `seconds`.

        Raises:
            CourseError: there has been no worker for a minute.
        """
        try:
            return self._ended.get(timeout=seconds)
        except queue.Empty:
            self._look_for_workers()
            return None

    def answer(self, future: Future) -> Answer:
        """What came of a job that has ended.

        Raises:
            CourseError: the scheduler is gone, or a worker has another course.
        """
        if future.status not in ("finished", "error"):
            raise CourseError(
                f"The scheduler at {self._scheduler} was lost. What was graded stays: "
                "start the scheduler and its workers, and give the same command again."
            )
        if future.status == "error":
            return Answer(None, "it was not run: the worker that ran it died or failed")
        try:
            executed, problem = _read(future.result(), self._scheduler is not None)
        except Exception as error:
            return Answer(None, f"its result can't be read ({str(error)[:200]})")
        if problem.startswith(OTHER_COURSE):
            raise CourseError(
                f"{problem}. Install there what is installed here, and give the same "
                "command again: it goes on where it stopped."
            )
        return Answer(executed, problem)

    def cancel(self, futures: list[Future]) -> None:
        """Give up jobs."""
        with contextlib.suppress(Exception):
            self._client.cancel(futures)

    def _workers(self) -> dict:
        try:
            return self._client.scheduler_info(n_workers=-1)["workers"]
        except (OSError, RuntimeError, TimeoutError):
            return {}  # it may come back; where it does not, its jobs end as lost

    def _look_for_workers(self) -> None:
        if self._scheduler is None or self._workers():
            self._last_worker = time.monotonic()
        elif time.monotonic() - self._last_worker > WORKERS_SECONDS:
            raise CourseError(
                f"The scheduler at {self._scheduler} has had no worker for "
                f"{WORKERS_SECONDS} s. Start workers (dask worker {self._scheduler} "
                "...) where the course is installed, and run the same command again: "
                "it goes on where it stopped."
            )


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


def run_task(text: str, isolated: bool, digest: str) -> bytes:
    """In a worker: run one job; never raises, so that nothing but bytes goes back."""
    try:
        if digest != course_digest():
            said = f"{OTHER_COURSE} at {get_worker().address}"
            return json.dumps({"problem": said}).encode()
        job = job_from_json(text)
        result = execute(job, worker_kernels(isolated))
        if _unexplained(result):  # perhaps the fork server was killed with it
            result = execute(job, worker_kernels(isolated))
        return to_json(result).encode()
    except BaseException as error:
        said = f"{type(error).__name__}: {error}"
        return json.dumps({"problem": said}).encode()


def _unexplained(result: Executed) -> bool:
    """Whether the kernel died and nobody said why, so that another try is fair."""
    return any(sign in each for each in result.reasons for sign in DIED)


_kernels: Kernels | None = None
_stopped = threading.Event()
_lock = threading.Lock()


def worker_kernels(isolated: bool) -> Kernels:
    """This process's kernels, started at the first job."""
    global _kernels
    with _lock:
        if _stopped.is_set():
            raise RuntimeError("grading was stopped")
        if _kernels is None:
            _kernels = Kernels(isolated)
            atexit.register(forget_kernels)
        return _kernels


def forget_kernels() -> None:
    """End this process's kernels; there are none any more."""
    global _kernels
    with _lock:
        _stopped.set()
        if _kernels is not None:
            _kernels.close()
        _kernels = None


@functools.cache
def course_digest() -> str:
    """A digest of the course's code, which decides the verdicts."""
    found = hashlib.sha256()
    for folder in (Path(course.__file__).parent, Path(__file__).parent.parent):
        pattern = "*.py" if folder.name == "autograder" else "**/*.py"
        for path in sorted(folder.glob(pattern)):
            found.update(path.name.encode() + path.read_bytes())
    for path in sorted(Path(__file__).parent.glob("*")):
        if path.suffix in (".py", ".toml"):
            found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()
