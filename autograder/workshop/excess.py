"""Ends the largest process of a session that uses more memory than it may."""

from __future__ import annotations

import resource
from pathlib import Path

import psutil

GB = 2**30


def end_excess(top: int, allowed: int) -> str:
    """Kill the largest process below `top` where all together use more than `allowed`.

    Args:
        top: the process that holds the session.
        allowed: bytes; memory that is shared with files does not count.

    Returns:
        A sentence that says what was done, or an empty string.
    """
    try:
        below = psutil.Process(top).children(recursive=True)
    except psutil.NoSuchProcess:
        return ""
    sizes = {each.pid: _own_bytes(each.pid) for each in below}
    used = sum(sizes.values())
    if used <= allowed:
        return ""
    largest = max(below, key=lambda each: sizes[each.pid])
    try:
        largest.kill()
    except psutil.NoSuchProcess:
        return ""
    return (
        f"{used / GB:.1f} GB of memory in use, {allowed / GB:.1f} GB are allowed: "
        f"its largest process ({sizes[largest.pid] / GB:.1f} GB) was ended."
    )


def _own_bytes(pid: int) -> int:
    try:
        pages = Path(f"/proc/{pid}/statm").read_text().split()
    except OSError:
        return 0  # it ended while we looked
    return (int(pages[1]) - int(pages[2])) * resource.getpagesize()
