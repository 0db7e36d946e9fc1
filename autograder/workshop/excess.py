"""Ends the largest process of a session that uses more memory than it may."""

from __future__ import annotations

import resource
from collections.abc import Sequence
from pathlib import Path

import psutil

GB = 2**30


def end_excess(session: Sequence[psutil.Process], allowed: int) -> str:
    """Kill the largest process of a session where all use more than `allowed` bytes.

    Returns:
        A sentence that says what was done, or an empty string.
    """
    if sum(map(_at_most, session)) <= allowed:
        return ""
    sizes = {each: share(each) for each in session}
    used = sum(sizes.values())
    if used <= allowed:
        return ""
    largest = max(session, key=sizes.__getitem__)
    try:
        largest.kill()
    except psutil.NoSuchProcess:
        return ""
    return (
        f"{used / GB:.1f} GB of memory were in use, {allowed / GB:.1f} GB are allowed: "
        f"the largest process ({sizes[largest] / GB:.1f} GB) was ended."
    )


def share(process: psutil.Process) -> int:
    """Bytes of a process; what several share counts in equal parts (PSS).

    The kernel goes through all its pages: some milliseconds.
    """
    try:
        text = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
        return int(text.partition("\nPss:")[2].split()[0]) * 1024
    except (OSError, IndexError):
        return 0  # it ended while we looked


def _at_most(process: psutil.Process) -> int:
    """Bytes that are not shared with files: as good as free to read, and no less."""
    try:
        pages = Path(f"/proc/{process.pid}/statm").read_text().split()
    except OSError:
        return 0
    return (int(pages[1]) - int(pages[2])) * resource.getpagesize()
