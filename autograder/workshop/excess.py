"""Ends the largest process of a session that uses more memory than it may."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Sequence
from pathlib import Path

GB = 2**30


def end_excess(session: Sequence[int], allowed: int) -> str:
    """Kill the largest process of a session where all use more than `allowed` bytes.

    Args:
        session: the numbers of its processes.
        allowed: for all of them together.

    Returns:
        A sentence that says what was done, or an empty string.
    """
    if sum(map(_at_most, session)) <= allowed:
        return ""
    sizes = {process: share(process) for process in session}
    used = sum(sizes.values())
    if used <= allowed:
        return ""
    largest = max(sizes, key=sizes.__getitem__)
    try:
        os.kill(largest, signal.SIGKILL)
    except ProcessLookupError:
        return ""
    return (
        f"{used / GB:.1f} GB of memory were in use, {allowed / GB:.1f} GB are allowed: "
        f"the largest process ({sizes[largest] / GB:.1f} GB) was ended."
    )


def share(process: int) -> int:
    """Bytes of a process; what several share counts in equal parts (PSS).

    The kernel goes through all its pages: some milliseconds.
    """
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
        return int(text.partition("\nPss:")[2].split()[0]) * 1024
    except (OSError, IndexError):
        return 0  # it ended while we looked


def _at_most(process: int) -> int:
    """Bytes that are not shared with files: as good as free to read, and no less."""
    try:
        pages = Path(f"/proc/{process}/statm").read_text().split()
    except OSError:
        return 0
    return (int(pages[1]) - int(pages[2])) * resource.getpagesize()
