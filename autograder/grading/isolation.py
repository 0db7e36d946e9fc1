"""A fork server locked into bubblewrap: it sees Python, the packages and `course`.

Everything else of the machine is left out rather than hidden: solutions, submissions,
the gradebook, home folders. Its kernels part from it and from each other once more
(`course.kernels.cage`).
"""

from __future__ import annotations

import fcntl
import os
import shutil
import site
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from pathlib import Path

import psutil

import course
from autograder.places import CourseError
from course.kernels.warm import WarmServer

NOBODY = 65534
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
FILES = (
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"),
    *("/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/hosts"),
    *("/etc/localtime", "/etc/fonts", "/var/cache/fontconfig"),
)
KEPT = {"PATH", "LANG", "TZ", "PYTHONDONTWRITEBYTECODE"}
TRY_SECONDS = 20
INSTEAD = (
    "Where submissions may run with all your rights (they could read the solutions "
    "and change your files), --no-isolation grades without."
)


def isolated_server(folder: Path) -> WarmServer:
    """Start a fork server in bubblewrap.

    Args:
        folder: where kernels put their sockets: the only one of the host's folders
            that it can write. It must be below /tmp.

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
    wall = bubblewrap(folder)
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


def bubblewrap(folder: Path) -> list[str]:
    """The command in front of a command that locks it in."""
    inner = ["bwrap", "--unshare-all", "--new-session", "--hostname", "grading"]
    if os.geteuid() != 0:
        return [*inner, *_view(folder), "--proc", "/proc", "--"]
    # root shows the files (some stand in root's home); nobody makes the namespaces
    return [
        *("bwrap", *_view(folder), "--bind", "/proc", "/proc", "--"),
        *("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--"),
        *(*inner, "--bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--"),
    ]


def new_socket_folder() -> Path:
    """A folder for the kernels' sockets; their paths must stay short.

    Removes those of processes that were killed. A lock tells them from processes
    that can't be seen from here, in a container with the same /tmp.
    """
    for folder in Path("/tmp").glob("course-*-*"):
        owner = folder.name.split("-")[1]
        if owner.isdecimal() and not psutil.pid_exists(int(owner)):
            _remove_unless_locked(folder)
    folder = Path(tempfile.mkdtemp(prefix=f"course-{os.getpid()}-", dir="/tmp"))
    fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_EX)  # until this process ends
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


def _view(folder: Path) -> list[str]:
    """Bubblewrap's arguments for what can be seen: all read-only but `folder`."""
    arguments = ["--dev", "/dev", "--perms", "1777", "--tmpfs", "/tmp"]
    made: set[Path] = set()
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            arguments += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir():
            arguments += ["--ro-bind", str(path), str(path)]
    for path in (*map(Path, FILES), *_python(), Path(course.__file__).parent):
        if path.exists() and not _below(path, map(Path, SYSTEM)):
            arguments += _open_parents(path, made)
            arguments += ["--ro-bind", str(path), str(path)]
    return [*arguments, "--bind", str(folder), str(folder), "--chdir", "/"]


def _python() -> list[Path]:
    """The interpreter's and the environment's folders, each once."""
    found = {Path(sys.base_prefix), Path(sys.prefix)}
    found |= {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}
    found |= {Path(each) for each in site.getsitepackages()}
    # an interpreter may be a link to one elsewhere
    found.add(Path(os.path.realpath(sys.executable)).parent.parent)
    kept: list[Path] = []
    for path in sorted(each for each in found if each.is_dir()):
        if path != Path("/") and not _below(path, kept):
            kept.append(path)
    return kept


def _below(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _open_parents(path: Path, made: set[Path]) -> list[str]:
    """Make the folders above `path` passable; bubblewrap makes them for one user."""
    arguments = []
    for parent in reversed(path.parents):
        if parent not in made and parent not in (Path("/"), Path("/tmp")):
            made.add(parent)
            arguments += ["--perms", "0755", "--dir", str(parent)]
    return arguments


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
