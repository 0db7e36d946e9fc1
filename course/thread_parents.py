"""Know who started a thread: Python does not tell.

What a learner's code starts must be told from threads that the kernel starts meanwhile,
such as the one that serves the widgets.
"""

from __future__ import annotations

import threading
import weakref

_parents: weakref.WeakKeyDictionary[threading.Thread, threading.Thread]
_parents = weakref.WeakKeyDictionary()
_start = threading.Thread.start


def _start_and_note(thread: threading.Thread) -> None:
    _parents[thread] = threading.current_thread()
    _start(thread)


threading.Thread.start = _start_and_note


def descends(thread: threading.Thread, ancestor: threading.Thread) -> bool:
    """Return whether `ancestor` started `thread`, or started who started it, ..."""
    parent = _parents.get(thread)
    while parent is not None and parent is not ancestor:
        parent = _parents.get(parent)
    return parent is not None
