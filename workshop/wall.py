"""The wall around a learner's session: what it sees, and what it may use.

A session has namespaces of its own for users, processes, the network and files. It
sees the system's programs, Python, `course`, `workshop.inside`, its own home, its own
part of the exchange, and the sockets of the hub and the live view. The network holds
nothing but its own loopback: a TensorFlow server obeys whoever reaches its port.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

from autograder.places import COURSE_ID, CourseError
from autograder.programs_view import programs_view
from workshop.disk import give_projects
from workshop.folders import Folders
from workshop.options import Options
from workshop.zygote import LARGEST_FILE, OPEN_FILES

USER = "jovyan"  # nbgrader asks the hub for the name of a user of this name only
HOME = f"/home/{USER}"
NOTEBOOKS = f"{HOME}/notebooks"
RUN = "/run/course"
EXCHANGE = "/srv/exchange"
SAID = "/srv/said"  # what the workshop tells the learner
HERE = Path(__file__).resolve().parent
SETTINGS = HERE / "learner"
LABEXTENSION = HERE / "inside" / "labextension"
SHOWN = (HERE / "__init__.py", HERE / "inside")  # of this package
DISK = 512 * 2**20  # bytes of /tmp, and of /dev/shm; both are memory
TRY_SECONDS = 20
TRIAL = ".trial"


def wall(folders: Folders, options: Options, learner: str) -> list[str]:
    """The command in front of a command that locks it into one learner's session."""
    course, prefix = f"{EXCHANGE}/{COURSE_ID}", Path(sys.prefix)
    read = {
        SETTINGS / "etc": prefix / "etc" / "jupyter",
        SETTINGS / "course": prefix / "bin" / "course",
        _passwd(folders): "/etc/passwd",
        folders.run: RUN,
        folders.outbound(COURSE_ID): f"{course}/outbound",
        folders.feedback(COURSE_ID, learner): f"{course}/feedback",
        folders.notice(learner).parent: SAID,
    }
    places = (HOME, f"{course}/inbound")
    command = ["bwrap", "--unshare-user", "--unshare-all", *_no_more_namespaces()]
    command += ["--hostname", "workshop", *programs_view(DISK, SHOWN)]
    command += ["--size", str(DISK), "--perms", "1777", "--tmpfs", "/dev/shm"]
    # nbgrader wants the top of the exchange to be writable
    command += ["--size", str(2**20), "--tmpfs", EXCHANGE]
    for outside, place in read.items():
        command += ["--ro-bind", str(outside), str(place)]
    for outside, place in zip(written(folders, learner), places, strict=True):
        command += ["--bind", str(outside), place]
    command += ["--proc", "/proc"]
    # both are memory without a limit of their own
    command += ["--remount-ro", "/", "--remount-ro", "/dev", "--chdir", HOME, "--"]
    limits = [f"--nproc={options.tasks}", f"--fsize={LARGEST_FILE}", "--core=0"]
    limits += [f"--nofile={OPEN_FILES}"]
    return [*command, "prlimit", *limits, "--"]


def make_homes(folders: Folders, learner: str) -> None:
    """Make the folders that the wall shows."""
    for each in (*_own(folders, learner), folders.outbound(COURSE_ID)):
        each.mkdir(parents=True, exist_ok=True)
    give_projects(folders.learners, written(folders, learner))


def written(folders: Folders, learner: str) -> tuple[Path, Path]:
    """The two folders that a learner can write into: home and submissions."""
    return folders.home(learner), folders.inbound(COURSE_ID, learner)


def try_out(folders: Folders, options: Options) -> None:
    """Enter the wall once, as nobody's session.

    Raises:
        CourseError: it can't be had on this machine; says why and what to do.
    """
    for program, package in (("bwrap", "bubblewrap"), ("prlimit", "util-linux")):
        if shutil.which(program) is None:
            raise CourseError(
                f"{program} is missing, which keeps learners apart: install the "
                f"package {package} (on Debian and Ubuntu: sudo apt install {package})."
            )
    make_homes(folders, TRIAL)
    command = [*wall(folders, options, TRIAL), sys.executable, "-P", "-c", ""]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=TRY_SECONDS
        )
        said = done.stderr.strip().splitlines()[-1:] if done.returncode else None
    except subprocess.TimeoutExpired:
        said = [f"no answer within {TRY_SECONDS} s"]
    for each in (*_own(folders, TRIAL), folders.home(TRIAL).parent):
        shutil.rmtree(each, ignore_errors=True)
    if said is not None:
        raise CourseError(
            "Learners can't be kept apart on this machine: "
            f"{' '.join(said) or 'bwrap failed'}. Usually user namespaces are not "
            "allowed: on Ubuntu 24.04 and later, "
            "`sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0` allows them "
            "until the next start; `man bwrap` says what else it needs."
        )


def _own(folders: Folders, learner: str) -> tuple[Path, ...]:
    return (
        *written(folders, learner),
        folders.feedback(COURSE_ID, learner),
        folders.notice(learner).parent,
    )


def _passwd(folders: Folders) -> Path:
    """Make the one account that a session knows, under this user's number."""
    path = folders.private / "passwd"
    line = f"{USER}:x:{os.getuid()}:{os.getgid()}:learner:{HOME}:/bin/bash\n"
    if not path.exists() or path.read_text() != line:
        path.write_text(line)
    return path


@functools.cache
def _no_more_namespaces() -> tuple[str, ...]:
    """Bubblewrap's option against namespaces within namespaces; it has it since 0.8."""
    said = subprocess.run(
        ["bwrap", "--help"], capture_output=True, text=True, timeout=TRY_SECONDS
    ).stdout
    return ("--disable-userns",) if "--disable-userns" in said else ()
