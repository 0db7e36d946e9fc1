"""Call a function many times in a process of its own, which it may hang or kill."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from course.checks.failures import StepFailed
from course.checks.patience import OutOfTime, Patience, wait_for
from course.kernels import siblings

DIED = 255
MORE = 2**30  # bytes that the process may take, besides what it has at the start
START_SECONDS = 20.0  # of processor time for the first call, with TensorFlow's start
CALL_SECONDS = 4.0  # the same for one call; a usual one needs less than 0.001
ALL_SECONDS = 12.0  # the same for all calls of one process
REST_SECONDS = 4.0  # in which the process does nothing at all
FEWEST = 100  # calls that must end in that time
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
        StepFailed: the call with `harmless` did not end, or ended the process; or the
            time was up after fewer than FEWEST calls.
        TooBusy: this machine is too busy to tell.
    """
    codes: list[int] = []
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "codes"
            rest = arguments[len(codes) :]
            child = siblings.start(_child, function, harmless, rest, str(file))
            try:
                _begin(child, file)
                goes_on = _wait(child, file)
            finally:
                child.kill()
            codes += file.read_bytes()[1:]
        if not goes_on and len(codes) < min(FEWEST, len(arguments)):
            raise StepFailed(
                (
                    f"In a process of its own, {len(codes)} calls of the function took "
                    f"{ALL_SECONDS:.0f} s of processor time; the check makes "
                    f"{len(arguments)}.",
                )
            )
        if len(codes) == len(arguments) or not goes_on:
            break
        codes.append(DIED)
    return codes


def _begin(child: siblings.Sibling, file: Path) -> None:
    """Wait for the end of the first call."""

    def over() -> bool:
        return bool(_size(file)) or child.poll() is not None

    with contextlib.suppress(OutOfTime):
        wait_for(over, _patience(child, START_SECONDS), "the first call to end")
    if not _size(file):
        raise StepFailed(
            (
                "In a process of its own, which has only what it is given, the "
                "function did not come to an end.",
            )
        )


def _wait(child: siblings.Sibling, file: Path) -> bool:
    """Wait while the process goes on from call to call; False: it took too much."""
    whole = _patience(child, ALL_SECONDS)
    while child.poll() is None:
        size = _size(file)

        def moved(size: int = size) -> bool:
            return _size(file) > size or child.poll() is not None

        try:
            wait_for(moved, _patience(child, CALL_SECONDS), "a call to end")
        except OutOfTime:
            return True
        if whole.over() is OutOfTime:
            return False
    return True


def _patience(child: siblings.Sibling, cpu_seconds: float) -> Patience:
    return Patience(cpu_seconds, lambda: [child.pid], rest_seconds=REST_SECONDS)


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
