"""Environments with other versions, made by uv; the course as it would be fetched."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.places import CourseError, Places
from autograder.toml_files import read_toml

DATA = Path(__file__).with_name("environments.toml")
UV = Path(sys.executable).with_name("uv")
READS_SOURCES = ("jupytext", "pyyaml", "typer", "rich")  # for the right answers alone
SECONDS = 900  # for uv, which may have to download TensorFlow


@dataclass(frozen=True)
class Environment:
    """What is installed in an environment before the course comes.

    says: what it stands for, in words.
    python: version, such as "3.12".
    packages: as pip takes them; `lock`, a file of ours with more of them, or "".
    """

    name: str
    says: str
    python: str
    packages: Sequence[str] = ()
    lock: str = ""


def environments() -> dict[str, Environment]:
    """Return all, by name, the oldest first."""
    return {name: Environment(name, **said) for name, said in read_toml(DATA).items()}


def make(environment: Environment, folder: Path, places: Places) -> Path:
    """Install it in `folder`, anew, and return its Python.

    Raises CourseError where that fails, such as without a Python of that version.
    """
    shutil.rmtree(folder, ignore_errors=True)
    _uv("venv", "--seed", "--python", environment.python, str(folder))
    python = folder / "bin" / "python"
    lock = ["-r", str(places.root / environment.lock)] if environment.lock else []
    install(python, *environment.packages, *lock)
    return python


def install(python: Path, *packages: str) -> None:
    """Install packages beside a Python; CourseError says what went wrong."""
    _uv("pip", "install", "--python", str(python), *packages)


def installed(python: Path) -> dict[str, str]:
    """Return name -> version of what is installed beside a Python."""
    listed = _uv("pip", "list", "--format", "json", "--python", str(python))
    return {each["name"]: each["version"] for each in json.loads(listed)}


def archive(places: Places, path: Path) -> Path:
    """Write the course's tracked files, as they are now, to a zip as GitHub makes one.

    Raises CourseError where the course is no git checkout.
    """
    git = ["git", "-C", str(places.root)]
    changed = subprocess.run([*git, "stash", "create"], capture_output=True, text=True)
    tree = changed.stdout.strip() or "HEAD"
    command = [*git, "archive", "--format=zip", "--prefix=course/", "-o", path, tree]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise CourseError(f"{places.root}: {done.stderr.strip()}")
    return path


def _uv(*words: str) -> str:
    command = [str(UV), *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise CourseError(f"uv {words[0]} took longer than {SECONDS} s.") from None
    if done.returncode:
        raise CourseError(f"uv {' '.join(words)}:\n{done.stderr.strip()[-2000:]}")
    return done.stdout
