"""Ends a process of a session that uses more memory or files than it may.

It looks from time to time: it is against accidents, and makes no wall.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Sequence
from pathlib import Path

from course.kernels.memory import own_bytes, shared_bytes

GB = 2**30
# of a session: the kernel counts what epoll watches for all sessions together
OPEN_FILES = 10_000
FEW_FILES = 256  # a process of the course has fewer open


def end_excess(session: Sequence[int], allowed: int) -> str:
    """Kill the process that uses most, where a session uses more than it may.

    Args:
        session: the numbers of its processes.
        allowed: bytes of memory, for all of them together.

    Returns:
        A sentence that says what was done, or an empty string.
    """
    if sum(map(own_bytes, session)) > allowed:
        sizes = {process: shared_bytes(process) for process in session}
        used = sum(sizes.values())
        if used > allowed and (largest := _end_largest(sizes)):
            return (
                f"{used / GB:.1f} GB of memory were in use, {allowed / GB:.1f} GB are "
                f"allowed: the largest process ({largest / GB:.1f} GB) was ended."
            )
    files = {process: _room_for_files(process) for process in session}
    if sum(files.values()) > OPEN_FILES and (most := _end_largest(files)):
        return (
            f"More than {OPEN_FILES:,} files were open: the process that had most "
            f"({most:,}) was ended."
        )
    return ""


def _room_for_files(process: int) -> int:
    """Places for open files, where it is not the usual few; everybody may read it."""
    with contextlib.suppress(OSError):
        text = Path(f"/proc/{process}/status").read_text()
        places = int(text.partition("\nFDSize:")[2].split()[0])
        return places if places > FEW_FILES else 0
    return 0


def _end_largest(sizes: dict[int, int]) -> int:
    """Kill the process with the largest size; return the size, or 0 if it had ended."""
    largest = max(sizes, key=sizes.__getitem__)
    try:
        os.kill(largest, signal.SIGKILL)
    except ProcessLookupError:
        return 0
    return sizes[largest]
