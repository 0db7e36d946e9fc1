"""Real worker and parameter-server processes on 127.0.0.1, none of which outlives us.

    with Cluster({"worker": 2}) as cluster:
        cluster.start(train, rows)
        run = cluster.join()

Then `run["worker 1"].value` is what that worker returned.
"""

from __future__ import annotations

import contextlib
import json
import linecache
import math
import os
import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from course.checks.patience import (
    Ended,
    OutOfTime,
    Patience,
    TooBusy,
    most,
    watched_elsewhere,
)
from course.checks.working import working
from course.kernels import siblings
from course.runs.cluster.folder import Folder
from course.runs.cluster.ports import Ports
from course.runs.cluster.recording import Beat, ClusterRun, End
from course.runs.cluster.sending import loose_sources, packed
from course.runs.cluster.turn import Turn
from course.runs.cluster.worker import Order, library_in, work

SECONDS = 10.0  # of processor time, after which what still works is killed
BY_THE_CLOCK = 20.0  # seconds, after which a run is over where nobody looks for a rest
QUIET = 4.0  # seconds in which nobody moves, after which nobody will
COLD_SECONDS = 120.0  # for the first processes to come up, on a slow machine too
POLL = 0.05
ANSWER_SECONDS = 1.0  # for a process to write its stack
LATE = 0.5  # seconds without a beat, after which a process is asked where it stands
END_SECONDS = 20.0  # for a process that was killed
NAMES = {"ps": "parameter server"}
_FRAME = re.compile(r'File "(.*)", line (\d+) in (.*)')


class Cluster:
    """Processes that know of each other by TF_CONFIG; a context manager ends them all.

    Args:
        tasks: how many of each type, such as {"chief": 1, "worker": 2, "ps": 1}.
        seconds: of processor time that one of them may use, after which a run is over;
            SECONDS, or BY_THE_CLOCK, unless given.
        quiet: seconds in which nobody uses the processor (a sleep does not) or tells
            anything by `note`, after which a run is over. None: never; then it is over
            `seconds` after its start, by the clock.
    """

    def __init__(
        self,
        tasks: Mapping[str, int],
        *,
        seconds: float | None = None,
        quiet: float | None = QUIET,
    ) -> None:
        names = [(kind, index) for kind, n in tasks.items() for index in range(n)]
        usual = BY_THE_CLOCK if quiet is None else SECONDS
        self._seconds, self._quiet = seconds or usual, quiet
        self._ports = Ports(len(names))
        self._folder = Folder()
        self._processes: dict[str, siblings.Sibling] = {}
        self._ends: dict[str, End] = {}
        self._own_files: set[str] = set()
        self._turn: Turn | None = None
        self._patience: Patience | None = None
        self._why: type[Ended] | None = None  # the run was over before its end
        self._begun = self._at_start = 0.0
        hosts = [f"127.0.0.1:{number}" for number in self._ports.numbers]
        spec: dict[str, list[str]] = {}
        for (kind, _), host in zip(names, hosts, strict=True):
            spec.setdefault(kind, []).append(host)
        self.hosts = spec
        self.configs = {
            f"{kind} {index}": json.dumps(
                {"cluster": spec, "task": {"type": kind, "index": index}}
            )
            for kind, index in names
        }

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def start(
        self,
        function: Callable[..., object],
        *arguments: object,
        only: Sequence[str] | None = None,
        configs: Mapping[str, str | None] | None = None,
    ) -> None:
        """Start `function(*arguments)` in all processes, or in `only` those named.

        A process that has ended can be started again.

        Args:
            function: a notebook's functions will do; what it uses goes with it.
            *arguments: what it is called with, the same everywhere.
            only: names, such as ["worker 1"].
            configs: a TF_CONFIG of your own for each name; None: no such variable.

        Raises:
            StepFailed: the function uses something that can't be sent.
            TooBusy: a process did not come up.
        """
        call, sources = packed(function, arguments), loose_sources()
        code = getattr(function, "__code__", None)
        self._own_files |= {*sources, *([code.co_filename] if code else ())}
        first, names = self._turn is None, list(only or self.configs)
        before = {name: self._folder.told(name) for name in names}
        many = f"{len(names)} process{'es' * (len(names) > 1)}"
        with watched_elsewhere(), working(f"starting {many}"):
            if first:
                self._turn = Turn()
            begun = time.monotonic()
            for name in names:
                self._start(name, call, sources, (configs or self.configs)[name])
            # a cold start imports TensorFlow
            while not all(self._is_up(name, before[name]) for name in names):
                if time.monotonic() > begun + COLD_SECONDS:
                    raise TooBusy(f"{len(names)} processes to start")
                time.sleep(POLL / 5)
        if first:
            self._begun, self._at_start = time.monotonic(), time.time()
            self._patience = self._watch()

    def running(self) -> set[str]:
        """Return the processes that are neither gone nor done with their function."""
        return {
            name
            for name, process in self._processes.items()
            if process.poll() is None and not self._folder.is_done(name)
        }

    def now(self, halted: Collection[str] = ()) -> ClusterRun:
        """Return what has happened until now.

        A process that is there has the outcome "running", or "halted" if it is named.
        """
        ends, running = [], self.running()
        for name, process in self._processes.items():
            if name not in running:
                end = self._folder.end(name, self._at_start, process.poll(), False)
            else:
                beats = self.beats(name)
                # while TensorFlow waits in a process, it tells nothing by itself
                late = not beats or self.age() - beats[-1].at > LATE
                if late and name not in halted:
                    beats = (*beats, *self.asked(name))
                outcome = "halted" if name in halted else "running"
                end = End(name, outcome, None, "", (), beats, "")
            ends.append(end)
        return ClusterRun(tuple(ends), self.age())

    def age(self) -> float:
        """Return how many seconds ago the cluster was started."""
        return time.time() - self._at_start

    def kill(self, name: str) -> None:
        """End a process at once, as a machine that loses its power would."""
        self._processes[name].kill()

    def stop(self, name: str) -> None:
        """Halt a process: it keeps its connections, and answers nothing."""
        os.kill(self._processes[name].pid, signal.SIGSTOP)

    def resume(self, name: str) -> None:
        """Let a halted process go on."""
        os.kill(self._processes[name].pid, signal.SIGCONT)

    def pid(self, name: str) -> int:
        """Return a process's number, by which the system knows it."""
        return self._processes[name].pid

    def beats(self, name: str) -> tuple[Beat, ...]:
        """Return where a process has been until now."""
        return self._folder.beats(name, self._at_start)

    def serves(self, name: str) -> bool:
        """Whether a server has told by `note(serves=...)` that it is ready."""
        beats = self.beats(name)
        return bool(beats) and bool(beats[-1].facts.get("serves"))

    def asked(self, name: str) -> tuple[Beat, ...]:
        """Ask a process where it is; return one beat, or none if it does not answer.

        A halted process does not answer. One that waits inside TensorFlow does.
        """
        file, process = self._folder.file(name, ".stack"), self._processes[name]
        before = file.stat().st_size if file.exists() else 0
        if process.poll() is not None or not file.exists():
            return ()
        try:
            os.kill(process.pid, signal.SIGUSR1)
        except ProcessLookupError:  # it ended just now
            return ()
        end = time.monotonic() + ANSWER_SECONDS
        while file.stat().st_size == before and time.monotonic() < end:
            time.sleep(POLL / 5)
        frames = _FRAME.findall(file.read_text()[before:])
        if not frames:
            return ()
        lines = tuple(
            (function, int(number), linecache.getline(path, int(number)).strip())
            for path, number, function in reversed(frames)
            if path in self._own_files
        )
        inside = library_in((path for path, _, _ in frames), self._own_files)
        told = self.beats(name)
        facts = told[-1].facts if told else {}
        return (Beat(self.age(), lines, facts, inside),)

    def wait_until(self, done: Callable[[], bool]) -> bool:
        """Wait until `done()`; False where the run ends, or is over, before.

        Raises:
            TooBusy: neither came to pass in a long time.
        """
        self._patience.begin_again()
        with watched_elsewhere(), self._working():
            while not done():
                self._why = self._why or self._patience.over()
                if self._why is TooBusy and self._quiet is not None:
                    raise TooBusy(f"{len(self.running())} processes to end")
                if self._why or not self.running():
                    return False
                time.sleep(POLL)
        return True

    def _working(self) -> contextlib.AbstractContextManager:
        kinds = Counter(name.split()[0] for name in self._processes)
        told = " and ".join(
            f"{count} {NAMES.get(kind, kind)}{'s' * (count > 1)}"
            for kind, count in kinds.items()
        )
        return working(f"with {told} in processes of their own")

    def _watch(self) -> Patience:
        if self._quiet is None:
            return Patience(math.inf, list, most_seconds=self._seconds)

        def numbers() -> list[int]:
            return [process.pid for process in self._processes.values()]

        return Patience(
            self._seconds, numbers, rest_seconds=self._quiet, noted=self._folder.noted
        )

    def join(self) -> ClusterRun:
        """Wait until all have ended, or nobody moves any more; return what happened."""
        self.wait_until(lambda: not self.running())
        return self.finish()

    def finish(self) -> ClusterRun:
        """Kill what still runs, such as parameter servers; return what happened."""
        seconds = time.monotonic() - self._begun
        waiting = {name: self.asked(name) for name in self.running()}
        for name in self.running():  # else one could hear that another one dies
            with contextlib.suppress(ProcessLookupError):
                self.stop(name)
        for name in self._processes:
            self._processes[name].kill()
        for name, process in self._processes.items():
            process.wait(END_SECONDS)
            self._ends[name] = self._folder.end(
                name,
                self._at_start,
                process.poll(),
                name in waiting,
                waiting.get(name, ()),
            )
        ends = tuple(self._ends.values())
        return ClusterRun(ends, seconds, self._why is OutOfTime)

    def close(self) -> None:
        """Kill what still runs, and forget everything."""
        for process in self._processes.values():
            process.kill()
        if self._turn is not None:
            self._turn.end()
        self._ports.close()
        self._folder.remove()

    def _start(
        self, name: str, call: bytes, sources: dict[str, str], config: str | None
    ) -> None:
        longest = most() if self._quiet else self._seconds
        order = Order(name, str(self._folder.path), longest, call, sources)
        self._folder.forget_end(name)
        log = self._folder.file(name, ".log")
        env = {"TF_CONFIG": config or "", "CUDA_VISIBLE_DEVICES": "-1"}
        self._processes[name] = siblings.start(_work, order, config, env=env, log=log)

    def _is_up(self, name: str, before: int) -> bool:
        return (
            self._folder.told(name) > before or self._processes[name].poll() is not None
        )


def run_workers(
    function: Callable[..., object],
    *arguments: object,
    workers: int = 2,
    seconds: float | None = None,
    quiet: float | None = QUIET,
    configs: Sequence[str | None] | None = None,
    tries: int = 1,
) -> ClusterRun:
    """Run `function(*arguments)` in each of some workers, and wait for them all.

    Args:
        function: a notebook's functions will do; what it uses goes with it.
        *arguments: what it is called with, the same everywhere.
        workers: how many.
        seconds: of processor time that one of them may use, after which all are killed.
        quiet: seconds without any movement, after which the run is over; None: never.
        configs: a TF_CONFIG of your own for each worker.
        tries: how often at most, where the workers came to rest. TensorFlow's own
            collectives did, once in a hundred runs on a busy machine.
    """
    for _ in range(tries):
        with Cluster({"worker": workers}, seconds=seconds, quiet=quiet) as cluster:
            own = dict(zip(cluster.configs, configs, strict=True)) if configs else None
            cluster.start(function, *arguments, configs=own)
            run = cluster.join()
        if run.worked_on or all(end.outcome != "waited" for end in run.ends):
            break
    return run


def _work(order: Order, config: str | None) -> None:
    if config is None:
        os.environ.pop("TF_CONFIG", None)
    work(order)
