"""The files in which a cluster's processes tell how they are getting on."""

from __future__ import annotations

import json
import pickle
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from course.runs.cluster.recording import Beat, End


class Folder:
    """A temporary folder; `course.runs.cluster.worker` writes what is read here."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="course-cluster-"))

    def file(self, name: str, suffix: str) -> Path:
        """Return the path of a process's file, such as ".log"."""
        return (self.path / name.replace(" ", "_")).with_suffix(suffix)

    def told(self, name: str) -> int:
        """Return how many bytes of beats there are; a second start adds to them."""
        file = self.file(name, ".beats")
        return file.stat().st_size if file.exists() else 0

    def beats(self, name: str, since: float) -> tuple[Beat, ...]:
        """Return where a process has been, in seconds after the moment `since`."""
        file, found = self.file(name, ".beats"), []
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        for line in lines:
            try:
                told = json.loads(line)
            except ValueError:  # the last line, killed while it was written
                continue
            at, lines = max(0.0, told["at"] - since), tuple(map(tuple, told["lines"]))
            found.append(Beat(at, lines, told["facts"], told["inside"]))
        return tuple(found)

    def noted(self) -> int:
        """Return how much all processes have told by `note`."""
        return sum(file.stat().st_size for file in self.path.glob("*.notes"))

    def is_done(self, name: str) -> bool:
        """Return whether a process has handed back what its function came to."""
        return self.file(name, ".end").exists()

    def forget_end(self, name: str) -> None:
        """Remove what an earlier start of this process has handed back."""
        self.file(name, ".end").unlink(missing_ok=True)

    def end(
        self,
        name: str,
        since: float,
        code: int | None,
        waits: bool,
        last: Sequence[Beat] = (),
    ) -> End:
        """Return how a process ended.

        Args:
            name: such as "worker 0".
            since: the moment of the cluster's start.
            code: its exit code.
            waits: whether it was stopped because it waited.
            last: the beat of where it waited, if it answered.
        """
        told = {"value": None, "error": "", "sentences": ()}
        if self.is_done(name):
            told.update(pickle.loads(self.file(name, ".end").read_bytes()))
        elif waits:
            told["outcome"] = "waited"
        else:
            told["outcome"] = "left" if code == 0 else "killed"
        log = self.file(name, ".log")
        text = log.read_text(errors="replace") if log.exists() else ""
        beats = (*self.beats(name, since), *last)
        return End(name, **told, beats=beats, log=text)

    def remove(self) -> None:
        """Remove it with all its files."""
        shutil.rmtree(self.path, ignore_errors=True)
