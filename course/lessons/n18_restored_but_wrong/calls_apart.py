"""Call a function many times in a process of its own, which it may hang or kill."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from course.checks.failures import StepFailed
from course.kernels import siblings

DIED = 255
MORE = 2**30  # bytes that the process may take, besides what it has at the start
START_SECONDS = 40.0  # a loaded machine may need them for the first process
CALL_SECONDS = 4.0  # for one call; a usual one needs less than 0.001
ALL_SECONDS = 15.0
STARTS = 3


def codes_apart(
    function: Callable[[Any], int], harmless: object, arguments: Sequence
) -> list[int]:
    """Return `function(argument)` for each argument, called in another process.

    Args:
        function: returns a number from 0 to 254; what it prints is lost.
        harmless: an argument for a first call, before the memory is limited (on Linux).
        arguments: what it is called with, in order.

    Returns:
        Its numbers, and DIED where the process ended in a call or the call had no end.
        The rest is missing after STARTS such calls, and when the time is up.

    Raises:
        StepFailed: the call with `harmless` did not end, or ended the process.
    """
    codes: list[int] = []
    until = None
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "codes"
            rest = arguments[len(codes) :]
            child = siblings.start(_child, function, harmless, rest, str(file))
            try:
                until = until or _begun(child, file) + ALL_SECONDS
                _wait(child, file, until)
            finally:
                child.kill()
            codes += file.read_bytes()[1:] if file.exists() else b""
        if len(codes) == len(arguments) or time.monotonic() > until:
            break
        codes.append(DIED)
    return codes


def _begun(child: siblings.Sibling, file: Path) -> float:
    """Wait for the end of the first call; return the time."""
    last = time.monotonic() + START_SECONDS
    while not _size(file):
        if child.poll() is not None or time.monotonic() > last:
            raise StepFailed(
                (
                    "In a process of its own, which has only what it is given, the "
                    "function did not come to an end.",
                )
            )
        time.sleep(0.01)
    return time.monotonic()


def _wait(child: siblings.Sibling, file: Path, until: float) -> None:
    """Wait for the process, while it goes on from call to call."""
    size, since = 0, time.monotonic()
    while child.poll() is None and (now := time.monotonic()) < until:
        if _size(file) > size:
            size, since = _size(file), now
        elif now - since > (CALL_SECONDS if size else START_SECONDS):
            return
        time.sleep(0.01)


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _child(function: Callable, harmless: object, arguments: Sequence, file: str):
    """In the process: one byte for each call, written at once."""
    function(harmless)
    _limit_memory()
    with open(file, "wb", buffering=0) as codes:
        codes.write(b"\0")  # the first call has ended
        for argument in arguments:
            codes.write(bytes([function(argument)]))


def _limit_memory() -> None:
    if sys.platform != "linux":
        return  # other systems take no such limit, or do not keep it
    import resource

    import psutil

    top = psutil.Process().memory_info().vms + MORE
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (top, most))
