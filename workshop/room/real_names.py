"""Account -> real name, from the list that the workshop keeps."""

from __future__ import annotations

import csv
from pathlib import Path


class RealNames:
    """Looks names up; reads the list again whenever it was written.

    path: a CSV file with columns name and shown; None where there is none.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._read: tuple[int, int] | None = None
        self._names: dict[str, str] = {}

    def __call__(self, account: str) -> str:
        """Return the real name, or the account where none is known."""
        if self._path is not None:
            try:
                found = self._path.stat()
                if self._read != (seen := (found.st_mtime_ns, found.st_ino)):
                    self._names, self._read = _read(self._path), seen
            except OSError:
                pass  # what was read before still stands
        return self._names.get(account) or account


def _read(path: Path) -> dict[str, str]:
    with path.open(encoding="utf-8", newline="") as file:
        return {row["name"]: row.get("shown") or "" for row in csv.DictReader(file)}
