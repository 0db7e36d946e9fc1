"""How much memory grading takes, by looking at its processes now and then.

Memory is proportional set size: pages that several processes share count in parts. A
forked kernel shares most of its pages with the server, so what kernels add is what
server and kernels have together, less what the server has alone.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import psutil

EVERY_SECONDS = 0.5
FORK_SERVER = "multiprocessing.forkserver"
KERNEL = "ipykernel_launcher"


class Memory:
    """The largest values seen while `watching`, in bytes; None where none was."""

    def __init__(self) -> None:
        self.main: float | None = None
        self.server: float | None = None
        self.forked_kernel: float | None = None
        self.ordinary_kernel: float | None = None

    @contextlib.contextmanager
    def watching(self, pid: int) -> Iterator[None]:
        """Look at a process and all that it starts, until the block ends."""
        ended = threading.Event()
        thread = threading.Thread(target=self._watch, args=(pid, ended))
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def _watch(self, pid: int, ended: threading.Event) -> None:
        while not ended.wait(EVERY_SECONDS):
            with contextlib.suppress(psutil.Error):
                self._look(psutil.Process(pid))

    def _look(self, main: psutil.Process) -> None:
        self.main = max(self.main or 0.0, main.memory_info().rss)
        below = main.children(recursive=True)
        for kernel in _named(below, KERNEL):
            used = _used([kernel, *kernel.children(recursive=True)])
            self.ordinary_kernel = max(self.ordinary_kernel or 0.0, used)
        for server in _named(below, FORK_SERVER):
            if server.parent() in _named(below, FORK_SERVER):
                continue  # a keeper, which is a fork of it
            keepers = server.children()
            if not keepers:
                self.server = max(self.server or 0.0, _used([server]))
            elif self.server:
                together = _used([server, *server.children(recursive=True)])
                each = (together - self.server) / len(keepers)
                self.forked_kernel = max(self.forked_kernel or 0.0, each)


def _named(processes: list[psutil.Process], name: str) -> list[psutil.Process]:
    found = []
    for each in processes:
        with contextlib.suppress(psutil.Error):
            if any(name in part for part in each.cmdline()):
                found.append(each)
    return found


def _used(processes: list[psutil.Process]) -> float:
    used = 0.0
    for each in processes:
        with contextlib.suppress(psutil.Error):
            used += each.memory_full_info().pss
    return used
