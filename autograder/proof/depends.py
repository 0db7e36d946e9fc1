"""What an observation depends on, beside the answer: the key of a record.

It is found by reading code: the statements of the course that the trial needs, the
cells that run before the answer, the lock file, Python's version. The truth, the
comparison, the mistakes and the words are not in it: these judge what was observed.

What is undeclared here can't be used while recording: of `course.lessons` and
`course.runs`, an answer's process sees what `view` has written and nothing else.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import course
from autograder.answers import child
from autograder.answers.reading import Answer
from autograder.answers.runs import cells_of
from autograder.grading.pared import ROOT, Name, Pared, bound_imports, code_digest
from autograder.places import Places
from autograder.proof.signature import Signature

# what runs every answer
HARNESS = (
    ("course.checks.observing", "*"),
    ("course.checks.observed", "*"),
    ("course.kernels.keeper", "*"),
    ("course.kernels.siblings", "*"),
)
# a notebook's first cells import these; they only show and judge
SHOWN = {("course", name) for name in ("check", "predict", "show")}
SHOWING = tuple((course._HOMES[name], "*") for _, name in sorted(SHOWN))
LOCK = "requirements-cpu.txt"


@dataclass(frozen=True)
class Dependencies:
    """What the observations of all answers to one exercise depend on.

    python: its minor version, such as "3.11".
    parts: of the lock file, the notebook's cells and each module: name -> digest.
    visible: module and name of what the answers' process may import.
    """

    python: str
    parts: dict[str, str]
    visible: frozenset[Name]

    def changes(self, python: str, parts: dict[str, str]) -> list[str]:
        """Return what is no longer as it was, such as "course.runs.replicas"."""
        names = {n for n in parts | self.parts if parts.get(n) != self.parts.get(n)}
        return [*(["Python"] if python != self.python else []), *sorted(names)]


def dependencies_of(
    places: Places, notebook: str, trial: Signature, answers: Iterable[Answer]
) -> Dependencies:
    """Return what the observations of answers to one exercise depend on.

    Args:
        places: of the course.
        notebook: such as 02_replicas_drift_apart.
        trial: of the exercise's trial.
        answers: to the exercise; what they use of the notebook's imports counts.
    """
    before, _ = cells_of(places.source(notebook))
    cells = [code for code, _ in before]
    of_cells: dict[str, Name] = {}
    used: set[str] = set()
    for code in cells:
        of_cells |= _imports(code)
        used |= _loaded(code)
    for answer in answers:
        used |= _loaded(answer.code)
    needed = {*trial.names, *HARNESS}
    needed |= {name for bound, name in of_cells.items() if bound in used}
    parts = {
        "the lock file": _digest((places.root / LOCK).read_bytes()),
        "the notebook's cells": _cells_digest(cells),
        child.__name__: _cells_digest([Path(child.__file__).read_text("utf-8")]),
        **Pared(needed).digests(),
    }
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Dependencies(
        python, parts, frozenset({*needed, *of_cells.values(), *SHOWING})
    )


def answer_digest(answer: Answer) -> str:
    """Return a digest of an answer: its code, and what this imports of the course."""
    imported = Pared(_imports(answer.code).values()).digests()
    return _digest(repr((answer.code, sorted(answer.expected), imported)).encode())


def visible_to(depends: Dependencies, answers: Iterable[Answer]) -> frozenset[Name]:
    """Return module and name of what these answers' process may import."""
    own = {name for each in answers for name in _imports(each.code).values()}
    return depends.visible | own


def write_view(visible: Iterable[Name], folder: Path) -> Path:
    """Write a copy of the course without the lessons and runs that nobody may see.

    Returns the folder to import it from. All but `course.lessons` and `course.runs` are
    links to the course itself.
    """
    inside = folder / "course"
    inside.mkdir()
    pared = list(Pared(visible).files())
    own = {path.parts[0] for path, _ in pared}
    for part in ROOT.iterdir():
        if part.name not in {"__pycache__", "lessons", "runs", *own}:
            (inside / part.name).symlink_to(part)
    for path, text in pared:
        (inside / path).parent.mkdir(parents=True, exist_ok=True)
        (inside / path).write_text(text, encoding="utf-8")
    return folder


def undeclared(visible: Iterable[Name], loaded: dict) -> list[str]:
    """Return what a process has read of the course without its being in the key.

    Args:
        visible: what it may import.
        loaded: `modules` and `files`, as `autograder.answers.child` sends them.
    """
    allowed = {*Pared(visible).digests(), "course.checks.handing_over"}
    return [
        *(name for name in loaded["modules"] if name not in allowed),
        *loaded["files"],
    ]


def _imports(code: str) -> dict[str, Name]:
    """Return the names that code binds to parts of the course -> module and name."""
    try:
        found = bound_imports(code)
    except SyntaxError:  # a shipped cell may be the failure itself
        return {}
    found = {k: v for k, v in found.items() if v[0].split(".")[0] == "course"}
    return {
        bound: (course._HOMES.get(name, module), name or "*")
        for bound, (module, name) in found.items()
        if (module, name) not in SHOWN
    }


def _loaded(code: str) -> set[str]:
    try:
        nodes = ast.walk(ast.parse(code))
    except SyntaxError:
        return set()
    return {each.id for each in nodes if isinstance(each, ast.Name)}


def _cells_digest(cells: Iterable[str]) -> str:
    found = []
    for cell in cells:
        try:
            found.append(code_digest(ast.parse(cell)))
        except SyntaxError:
            found.append(cell)
    return _digest(repr(found).encode())


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]
