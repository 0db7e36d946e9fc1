"""Say what is being done, in one line under the cell that is replaced, and then goes.

It shows only what takes long, and only in a notebook.
"""

from __future__ import annotations

import contextlib
import contextvars
import html
import sys
import threading
import time
from collections.abc import Iterator

from course.checks.patience import watching

SHOW_AFTER = 2.0  # seconds; most cells have ended by then
EVERY = 1.0  # seconds between two lines

_doing: list[str] = []  # outermost first
_line: _Line | None = None


@contextlib.contextmanager
def working(doing: str) -> Iterator[None]:
    """Show, while the block runs, what is being done and for how long.

    Args:
        doing: such as "checking, case 2 of 3". What an inner block is doing comes
            behind what an outer one does.
    """
    global _line
    outermost = _line is None
    _doing.append(doing)
    if outermost:
        _line = _Line()
    try:
        yield
    finally:
        # blocks of two threads may end in any order
        _doing.remove(doing)
        if outermost:
            _line.end()
            _line = None


class _Line:
    """One output of the cell that runs, written anew by a thread."""

    def __init__(self) -> None:
        self._over, self._begun = threading.Event(), time.monotonic()
        self._display = None
        self._thread: threading.Thread | None = None
        if _in_notebook():
            here = contextvars.copy_context()  # it says which cell this is
            self._thread = threading.Thread(target=here.run, args=(self._watch,))
            self._thread.daemon = True
            self._thread.start()

    def end(self) -> None:
        """Take the line away."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        with watching():
            self._run()

    def _run(self) -> None:
        pause = SHOW_AFTER
        while not self._over.wait(pause):
            self._show(f"{', '.join(_doing)} ({time.monotonic() - self._begun:.0f} s)")
            pause = EVERY
        if self._display is not None:
            self._display.update({"text/plain": "", "text/html": ""}, raw=True)

    def _show(self, text: str) -> None:
        from IPython.display import DisplayHandle

        text = text[:1].upper() + text[1:]
        data = {
            "text/plain": text,
            "text/html": '<div style="color:#595959;background-color:#fff;padding:2px '
            f'14px">{html.escape(text)}</div>',
        }
        if self._display is None:
            self._display = DisplayHandle()
            self._display.display(data, raw=True)
        else:
            self._display.update(data, raw=True)


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None
