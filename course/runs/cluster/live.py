"""A cluster that somebody watches: halts, kills and cuts off its processes."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from course.runs.cluster.launcher import Cluster
from course.runs.cluster.link import Links
from course.runs.cluster.recording import ClusterRun

SECONDS = 45.0  # by the clock, after which a run is over
EVERY = 0.25  # seconds between two looks


@dataclass(frozen=True)
class Job:
    """What runs, and in which processes.

    tasks: how many of each type, such as {"worker": 3}.
    function, arguments: what runs in each of them.
    counts: the processes whose end is the end of the run; all, if there are none.
    """

    tasks: Mapping[str, int]
    function: Callable[..., object]
    arguments: tuple = ()
    counts: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The processes, such as "worker 0"."""
        return [f"{kind} {k}" for kind, many in self.tasks.items() for k in range(many)]


@dataclass(frozen=True)
class Act:
    """What somebody did to a process, `at` so many seconds after the start."""

    at: float
    what: str
    name: str


class LiveRun:
    """One run of a job; `halt` and the others can be called from any thread.

    seconds: by the clock, after which it is over.

    acts: what was done to its processes, in order.
    """

    def __init__(self, job: Job, seconds: float = SECONDS) -> None:
        self.job, self._seconds = job, seconds
        self._asked: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.acts: list[Act] = []
        self._halted: set[str] = set()
        self._end = threading.Event()
        self._cluster: Cluster | None = None
        self._links: Links | None = None

    def halt(self, name: str) -> None:
        """Let a process do nothing, as on a machine that is too busy."""
        self._ask(
            "halt", name, lambda: (self._cluster.stop(name), self._halted.add(name))
        )

    def go_on(self, name: str) -> None:
        """Let a halted process go on."""
        self._ask(
            "go on",
            name,
            lambda: (self._cluster.resume(name), self._halted.discard(name)),
        )

    def kill(self, name: str) -> None:
        """End a process, as a machine that loses its power would."""
        self._ask(
            "kill",
            name,
            lambda: (self._cluster.kill(name), self._halted.discard(name)),
        )

    def cut(self, name: str) -> None:
        """Break the connections to a process, and refuse new ones."""
        self._ask("cut", name, lambda: self._links.cut(name))

    def end(self) -> None:
        """Let the run be over."""
        self._end.set()

    def run(self, look: Callable[[ClusterRun], None]) -> ClusterRun:
        """Start the processes; return when all have ended, the time is up, or at `end`.

        Args:
            look: called again and again with what has happened so far. Of a process
                that is there, the outcome is "running" or "halted".
        """
        with (
            Cluster(self.job.tasks, seconds=self._seconds, quiet=None) as cluster,
            Links(cluster) as links,
        ):
            self._cluster, self._links = cluster, links
            cluster.start(self.job.function, *self.job.arguments, configs=links.configs)
            over = time.monotonic() + self._seconds
            while self._goes_on() and time.monotonic() < over:
                while not self._asked.empty():
                    self._asked.get()()
                look(cluster.now(self._halted))
                if self._end.wait(EVERY):
                    break
            return cluster.finish()

    def _goes_on(self) -> bool:
        running = self._cluster.running()
        return bool(running.intersection(self.job.counts or self.job.names))

    def _ask(self, what: str, name: str, act: Callable[[], object]) -> None:
        def only_if_it_is_there() -> None:
            # it may end between the question and the act
            with contextlib.suppress(ProcessLookupError):
                if name in self._cluster.running():
                    act()
                    self.acts.append(Act(self._cluster.age(), what, name))

        self._asked.put(only_if_it_is_there)
