"""What of this machine a locked-in process sees: Python, the packages and `course`.

Everything else is left out rather than hidden: solutions, submissions, the gradebook,
home folders.
"""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

import course

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
FILES = (
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"),
    *("/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/hosts"),
    *("/etc/localtime", "/etc/fonts", "/var/cache/fontconfig"),
)


def programs_view(disk: int | None = None, more: Iterable[Path] = ()) -> list[str]:
    """Bubblewrap's arguments: the system's programs and ours, read-only; an own /tmp.

    disk: the size of /tmp in bytes; without it, half of the memory.
    more: further files and folders of ours.
    """
    size = ["--size", str(disk)] if disk else []
    arguments = ["--dev", "/dev", "--perms", "1777", *size, "--tmpfs", "/tmp"]
    made: set[Path] = set()
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            arguments += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir():
            arguments += ["--ro-bind", str(path), str(path)]
    ours = (Path(course.__file__).parent, *more)
    for path in (*map(Path, FILES), *_python(), *ours):
        if path.exists() and not _below(path, map(Path, SYSTEM)):
            arguments += _open_parents(path, made)
            arguments += ["--ro-bind", str(path), str(path)]
    return arguments


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
