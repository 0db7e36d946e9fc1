"""What is done to one job, in a thread of this process or on another machine.

Both get a job as JSON and return a result as JSON, and neither ever raises: so nothing
but bytes goes back.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import json
import threading
from pathlib import Path

import course
from autograder.grading.execution import execute
from autograder.grading.jobs import Executed, job_from_json, to_json
from autograder.grading.kernels import Kernels

OTHER_COURSE = "Another version of the course is installed on the worker"
DIED = ("kernel died", "Kernel died", "server ended", "ServerEnded")


def run_here(kernels: Kernels, text: str) -> bytes:
    """Run one job in one of these kernels."""
    try:
        job = job_from_json(text)
        result = execute(job, kernels)
        if _unexplained(result):  # perhaps the fork server was killed with it
            result = execute(job, kernels)
        return to_json(result).encode()
    except BaseException as error:
        return problem(f"{type(error).__name__}: {error}")


def run_there(isolated: bool, digest: str, text: str) -> bytes:
    """In a Dask worker: run one job, if the course is the one of this digest."""
    try:
        if digest != course_digest():
            from distributed import get_worker

            return problem(f"{OTHER_COURSE} at {get_worker().address}")
        kernels = own_kernels(isolated)
    except BaseException as error:
        return problem(f"{type(error).__name__}: {error}")
    return run_here(kernels, text)


def problem(said: str) -> bytes:
    """What goes back in place of a result."""
    return json.dumps({"problem": said}).encode()


def _unexplained(result: Executed) -> bool:
    """Whether the kernel died and nobody said why, so that another try is fair."""
    return any(sign in each for each in result.reasons for sign in DIED)


_own: dict[bool, Kernels] = {}
_lock = threading.Lock()


def own_kernels(isolated: bool) -> Kernels:
    """This worker's kernels, started at the first job."""
    with _lock:
        if isolated not in _own:
            _own[isolated] = Kernels(isolated)
            atexit.register(_own[isolated].close)
        return _own[isolated]


@functools.cache
def course_digest() -> str:
    """A digest of the course's code, which decides the verdicts."""
    found = hashlib.sha256()
    for folder in (Path(course.__file__).parent, Path(__file__).parent.parent):
        pattern = "*.py" if folder.name == "autograder" else "**/*.py"
        for path in sorted(folder.glob(pattern)):
            found.update(path.name.encode() + path.read_bytes())
    for path in sorted(Path(__file__).parent.glob("*")):
        if path.suffix in (".py", ".toml"):
            found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()
