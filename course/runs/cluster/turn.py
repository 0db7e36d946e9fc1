"""One cluster starts at a time: many starts at once trip TensorFlow's deadlines."""

from __future__ import annotations

import contextlib
import os
import socket
import tempfile
import threading
import time
from pathlib import Path

from course.checks.working import working

try:
    import fcntl
except ImportError:  # Windows: no queue
    fcntl = None

QUEUE_VARIABLE = "COURSE_QUEUE"  # names the socket where a workshop gives turns
SECONDS = 2.0  # that a start takes of its turn; a cluster of two is up by then
PATIENCE = 60.0  # seconds, after which it starts out of turn
POLL = 0.05


class Turn:
    """A turn to start: taken when made, and over after SECONDS or at `end`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held = contextlib.ExitStack()
        with working("after other clusters have started"):
            if not self._ask_room() and fcntl is not None:
                self._take_file()
        timer = threading.Timer(SECONDS, self.end)
        timer.daemon = True
        timer.start()

    def end(self) -> None:
        """Let the next one start."""
        with self._lock:
            self._held.close()

    def _ask_room(self) -> bool:
        """Wait for a turn among a workshop's sessions; False where there is none."""
        path = os.environ.get(QUEUE_VARIABLE)
        if not path:
            return False
        asked = self._held.enter_context(socket.socket(socket.AF_UNIX))
        asked.settimeout(PATIENCE)
        try:
            asked.connect(path)
            asked.recv(1)
        except TimeoutError:
            pass  # out of turn
        except OSError:
            return False
        return True

    def _take_file(self) -> None:
        """Wait for the lock of a file that all programs of this user see."""
        path = Path(tempfile.gettempdir()) / f"course-cluster-{os.getuid()}.lock"
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._held.callback(os.close, file)
        begun = time.monotonic()
        while time.monotonic() < begun + PATIENCE:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(POLL)
            else:
                return
