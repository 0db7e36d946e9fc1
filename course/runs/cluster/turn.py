"""One cluster starts at a time: many starts at once trip TensorFlow's deadlines."""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
import time
from pathlib import Path

from course.checks.working import working

try:
    import fcntl
except ImportError:  # Windows: no queue
    fcntl = None

QUEUE_VARIABLE = "COURSE_QUEUE"  # names a file that all learners of a workshop see
SECONDS = 2.0  # that a start takes of its turn; a cluster of two is up by then
PATIENCE = 60.0  # seconds, after which it starts out of turn
POLL = 0.05


def _queue() -> int:
    """Open the file whose lock is the turn: a whole room's, or this user's."""
    if room := os.environ.get(QUEUE_VARIABLE):
        with contextlib.suppress(OSError):
            return os.open(room, os.O_RDONLY | os.O_CLOEXEC)
    path = Path(tempfile.gettempdir()) / f"course-cluster-{os.getuid()}.lock"
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


class Turn:
    """A turn to start: taken when made, and over after SECONDS or at `end`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._file: int | None = None
        if fcntl is None:
            return
        self._file = _queue()
        self._take()
        timer = threading.Timer(SECONDS, self.end)
        timer.daemon = True
        timer.start()

    def end(self) -> None:
        """Let the next one start."""
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _take(self) -> None:
        begun = time.monotonic()
        with working("after other clusters have started"):
            while time.monotonic() < begun + PATIENCE:
                try:
                    fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    time.sleep(POLL)
                else:
                    return
