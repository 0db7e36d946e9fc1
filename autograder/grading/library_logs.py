"""Keep what libraries log about themselves in a file, and off the terminal.

nbclient, jupyter_client and zmq leave tasks behind where a kernel dies or a run is
stopped, and asyncio prints a traceback for each, perhaps minutes later. nbgrader logs
one for each write that finds the gradebook locked. None of it asks for anything to be
done: the same error also reaches the grader as an exception, if it matters.
"""

from __future__ import annotations

import contextlib
import logging
import sys
import traceback
import warnings
from pathlib import Path

LOG = "libraries.log"  # in the folder of results; written where there is something
LOGGERS = ("asyncio", "tornado", "traitlets")  # nbgrader logs to tornado's
LIBRARIES = {"asyncio", "jupyter_client", "nbclient", "tornado", "zmq"}


class _File(logging.FileHandler):
    """A file that is made with the first line. What can't be written is dropped."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True)
            super().emit(record)
        except OSError:
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:
        """Say nothing: the disk may be full, and the grader finds that out itself."""


def keep_library_logs(results: Path) -> None:
    """Write what libraries log from now on to `results`/libraries.log.

    It stays so until this process ends: they still log while Python shuts down. The
    file of the run before is removed.
    """
    path = results / LOG
    with contextlib.suppress(OSError):  # a run that can't write there says so
        path.unlink(missing_ok=True)
    handler = _File(path, encoding="utf-8", errors="replace", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        logger.propagate = False
    warnings.filterwarnings(
        "ignore", message="coroutine .* was never awaited", category=RuntimeWarning
    )
    usual = sys.unraisablehook

    def hook(unraisable: sys.UnraisableHookArgs) -> None:
        if _is_of_library(unraisable):
            error = unraisable.exc_value
            text = "".join(traceback.format_exception(error))
            logging.getLogger(LOGGERS[0]).error("%r\n%s", unraisable.object, text)
        else:
            usual(unraisable)

    sys.unraisablehook = hook


def _is_of_library(unraisable: sys.UnraisableHookArgs) -> bool:
    """Whether an error that nobody can catch was raised in one of LIBRARIES."""
    frames = [*traceback.walk_tb(unraisable.exc_traceback)]
    if frames:
        name = frames[-1][0].f_globals.get("__name__")
    else:
        name = getattr(unraisable.object, "__module__", None)
    return str(name).partition(".")[0] in LIBRARIES
