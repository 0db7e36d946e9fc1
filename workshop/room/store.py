"""Keeps the room in a small file, so that a restart of the service loses nothing."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from pathlib import Path

from course.whole_files import PRIVATE, unfinished, write_whole

GATHER_SECONDS = 0.15  # thirty reports at once are written once
_LOG = logging.getLogger(__name__)


class Keeper:
    """Writes what `data()` returns to `path`; keeps nothing where that is None."""

    def __init__(self, path: Path | None, data: Callable[[], dict]) -> None:
        self._path, self._data = path, data
        self._pending: asyncio.Task | None = None

    async def kept(self) -> None:
        """Return once everything that is known now is written."""
        if self._path is None:
            return
        if self._pending is None:
            self._pending = asyncio.create_task(self._gather())
        await asyncio.shield(self._pending)

    async def _gather(self) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        self._pending = None  # what changes from here on is for the next writing
        self.write()

    def write(self) -> None:
        """Write now. A disk that is full must not end the lesson."""
        if self._path is None:
            return
        try:
            write_whole(self._path, json.dumps(self._data()).encode(), PRIVATE)
        except OSError as error:
            _LOG.warning("The room's state could not be written: %s", error)


def load(path: Path | None) -> dict | None:
    """Return what was kept; None where there is nothing, or nothing readable."""
    if path is None:
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        _LOG.warning("The room begins empty; its state cannot be read: %s", error)
        return None
    return found if isinstance(found, dict) else None


def forget(path: Path | str) -> None:
    """Remove what was kept; for the end of a workshop."""
    for each in (Path(path), *unfinished(Path(path))):
        each.unlink(missing_ok=True)
