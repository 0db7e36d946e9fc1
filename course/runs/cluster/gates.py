"""Gates: all processes of a cluster wait at one, until their parent has done its part.

with Gates(2, actions) as gates:
    cluster.start(train, gates.gate)

In a worker, `gate.wait(0)` returns when both have come and `actions[0]()` is done.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

POLL = 0.005
END_SECONDS = 5.0


class Gate:
    """What a process knows of the gates: where their files are."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def wait(self, number: int) -> None:
        """Return when all processes are here, and the parent has opened this gate."""
        place = Path(self._folder)
        (place / f"{number}.{os.getpid()}").touch()
        while not (place / f"{number}.open").exists():
            time.sleep(POLL)


class Gates:
    """The parent's side of the gates; a context manager.

    Args:
        processes: how many must have come before a gate opens.
        actions: what to do at each gate, in order.

    gate: to be handed to the processes.
    """

    def __init__(self, processes: int, actions: Sequence[Callable[[], object]]) -> None:
        self._processes, self._actions = processes, list(actions)
        self._opened = 0
        self._folder = Path(tempfile.mkdtemp(prefix="course-gates-"))
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.gate = Gate(str(self._folder))

    @property
    def all_open(self) -> bool:
        """Whether the processes have passed the last gate."""
        return self._opened == len(self._actions)

    def __enter__(self) -> Gates:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join(END_SECONDS)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self) -> None:
        while not self.all_open and not self._over.wait(POLL):
            number = self._opened
            if len(list(self._folder.glob(f"{number}.*"))) == self._processes:
                self._actions[number]()
                self._opened += 1  # before a process can pass the gate, and end
                (self._folder / f"{number}.open").touch()
