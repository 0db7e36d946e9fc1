"""A fork server locked into bubblewrap: it sees Python, the packages and `course`.

Everything else of the machine is left out rather than hidden: solutions, submissions,
the gradebook, home folders. Its kernels part from it and from each other once more
(`course.kernels.cage`).
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil

from autograder.places import CourseError
from autograder.programs_view import programs_view
from course.kernels.warm import WarmServer

NOBODY = 65534
KEPT = {"PATH", "LANG", "TZ", "PYTHONDONTWRITEBYTECODE"}
TRY_SECONDS = 20
INSTEAD = (
    "Where submissions may run with all your rights (they could read the solutions "
    "and change your files), --no-isolation grades without."
)


def isolated_server(folder: Path, views: Path) -> WarmServer:
    """Start a fork server in bubblewrap.

    Args:
        folder: where kernels put their sockets: the only one of the host's folders
            that it can write. It must be below /tmp.
        views: what kernels see of the course, a folder for each notebook.

    Raises:
        CourseError: isolation can't be had on this machine; says why.
    """
    if sys.platform != "linux":
        raise CourseError(f"Isolation needs Linux. {INSTEAD}")
    for program in ("bwrap", *(["setpriv"] if os.geteuid() == 0 else [])):
        if shutil.which(program) is None:
            package = {"bwrap": "bubblewrap", "setpriv": "util-linux"}[program]
            raise CourseError(
                f"{program} is missing, which locks submissions in: install the "
                f"package {package} (on Debian and Ubuntu: sudo apt install {package}) "
                f"and grade again. {INSTEAD}"
            )
    if os.geteuid() == 0:  # the server is nobody there
        os.chown(folder, NOBODY, NOBODY)
    wall = bubblewrap(folder, views)
    _try_out(wall)
    return WarmServer(wall, environment())


def environment() -> dict[str, str]:
    """The variables that the server and its kernels get: no secrets of the grader."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in KEPT or name.startswith("LC_")
    }
    return {**kept, "HOME": "/tmp", "MPLCONFIGDIR": "/tmp/matplotlib"}


def bubblewrap(folder: Path, views: Path) -> list[str]:
    """The command in front of a command that locks it in."""
    inner = ["bwrap", "--unshare-all", "--new-session", "--hostname", "grading"]
    seen = [*programs_view(), "--bind", str(folder), str(folder), "--chdir", "/"]
    seen += ["--ro-bind", str(views), str(views)]
    if os.geteuid() != 0:
        return [*inner, *seen, "--proc", "/proc", "--"]
    # root shows the files (some stand in root's home); nobody makes the namespaces
    return [
        *("bwrap", *seen, "--bind", "/proc", "/proc", "--"),
        *("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--"),
        *(*inner, "--bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--"),
    ]


def new_socket_folder() -> Path:
    """Make a folder for the kernels' sockets; their paths must stay short.

    Removes the folders that killed processes left in /tmp, sockets' and others. A
    lock tells them from those of processes that can't be seen from here, in a
    container with the same /tmp.
    """
    for folder in Path("/tmp").glob("course-*-*"):
        owner = folder.name.split("-")[1]
        if owner.isdecimal() and not psutil.pid_exists(int(owner)):
            _remove_unless_locked(folder)
    return locked_folder()


def locked_folder(kind: str = "") -> Path:
    """Make a folder in /tmp that is locked until this process ends.

    Args:
        kind: part of its name, such as "views-".
    """
    prefix = f"course-{os.getpid()}-{kind}"
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir="/tmp"))
    fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_EX)
    return folder


def _remove_unless_locked(folder: Path) -> None:
    try:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return  # somebody else's
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    except BlockingIOError:
        pass
    finally:
        os.close(opened)


def _try_out(wall: list[str]) -> None:
    """Enter the isolation once, with a kernel's further steps; CourseError if not."""
    code = "from course.kernels import cage; cage.enter()"
    try:
        done = subprocess.run(
            [*wall, sys.executable, "-P", "-c", code],
            capture_output=True,
            text=True,
            timeout=TRY_SECONDS,
            env=environment(),
        )
        said = done.stderr.strip().splitlines()[-1:] if done.returncode else None
    except subprocess.TimeoutExpired:
        said = [f"no answer within {TRY_SECONDS} s"]
    if said is not None:
        raise CourseError(
            "Submissions can't be locked in on this machine: "
            f"{' '.join(said) or 'bwrap failed'}. Usually user namespaces are not "
            f"allowed; `man bwrap` says what it needs. {INSTEAD}"
        )
