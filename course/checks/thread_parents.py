"""Know who started a thread: Python does not tell.

What a learner's code starts must be told from threads that the kernel starts meanwhile,
such as the one that serves the widgets.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Collection

_parents: weakref.WeakKeyDictionary[threading.Thread, threading.Thread]
_parents = weakref.WeakKeyDictionary()
_start = threading.Thread.start


def _start_and_note(thread: threading.Thread) -> None:
    _parents[thread] = threading.current_thread()
    _start(thread)


threading.Thread.start = _start_and_note


def descends(
    thread: threading.Thread,
    ancestor: threading.Thread,
    not_by: Collection[threading.Thread] = (),
) -> bool:
    """Return whether `ancestor` started `thread`, or started who started it, ...

    What `not_by` started does not count, even if `ancestor` had started those.
    """
    parent = _parents.get(thread)
    while parent not in (None, ancestor, *not_by):
        parent = _parents.get(parent)
    return parent is ancestor
