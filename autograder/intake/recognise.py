"""Tell which of the course's notebooks a file is: by its names, or by its content."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from autograder.places import Places
from autograder.source import checked_exercise

MAX_CHECK = 1000  # characters; a check cell is one line
ENOUGH = 2  # one exercise, or two other cells that no other notebook has


class Recogniser:
    """Knows the names of the course's notebooks and what is in each."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.names = places.names()
        self.full = {
            form.lower(): name
            for name in self.names
            for form in (name, name.partition("_")[2])
        }
        self._forms = {
            **self.full,
            **{name.partition("_")[0]: name for name in self.names},
        }

    def by_name(self, names: Sequence[str]) -> str | None:
        """The notebook that the file's name tells, else the nearest folder's.

        02_replicas_drift_apart, replicas_drift_apart and 02 tell it, and so does a
        longer name that holds the whole first form.
        """
        for text in reversed(names):
            stem = text.lower().partition(".ipynb")[0]
            if stem in self._forms:
                return self._forms[stem]
            held = [
                name
                for name in self.names
                if re.search(
                    rf"(?<![a-z0-9]){re.escape(name.lower())}(?![a-z0-9])", stem
                )
            ]
            if len(held) == 1:
                return held[0]
        return None

    def is_name(self, text: str) -> bool:
        """Whether a folder is called as a notebook; a mere number is not enough."""
        return text.lower() in self.full

    def by_content(self, data: bytes) -> str | None:
        """The notebook that the content tells, or None: also where it is unreadable."""
        try:
            notebook = json.loads(data)
        except (ValueError, RecursionError):
            return None
        if not isinstance(notebook, dict):
            return None
        name = _item(_item(notebook.get("metadata"), "course"), "name")
        if name in self.names:
            return name
        seen = set(_marks(notebook))
        score = Counter(
            {
                name: sum(2 if "/" in mark else 1 for mark in marks & seen)
                for name, marks in self._marks_of.items()
            }
        )
        (best, points), (_, next_points) = [*score.most_common(2), ("", 0), ("", 0)][:2]
        return best if points >= ENOUGH and points > next_points else None

    def code_of(self, name: str | None, data: bytes) -> tuple[str, bool]:
        """Return the digest of a file's code, "" for none, and whether it is blank.

        Blank is what is empty, as this notebook was handed out, or without its cells.
        """
        code = _code(data)
        if code is None:
            return "", not data.strip()
        foreign = name is not None and not set(_marks(json.loads(data)))
        digest = hashlib.sha256(repr(code).encode()).hexdigest()
        return digest, foreign or code == self._shipped.get(name)

    @cached_property
    def _shipped(self) -> dict[str, list[str] | None]:
        return {name: _code(data) for name, data in self._handed_out.items()}

    @cached_property
    def _handed_out(self) -> dict[str, bytes]:
        """Each notebook's file; of those that are not built yet, no bytes."""
        found = dict.fromkeys(self.names, b"")
        for name in self.names:
            with contextlib.suppress(OSError):
                found[name] = self.places.learner(name).read_bytes()
        return found

    @cached_property
    def _marks_of(self) -> dict[str, set[str]]:
        """What only this notebook has: its exercises, and grade_ids of its cells."""
        marks = {}
        for name, data in self._handed_out.items():
            try:
                marks[name] = set(_marks(json.loads(data)))
            except ValueError:
                marks[name] = set()  # known by name only
        often = Counter(mark for each in marks.values() for mark in each)
        return {
            name: {mark for mark in each if often[mark] == 1}
            for name, each in marks.items()
        }


def is_notebook_file(name: str) -> bool:
    """Whether a file is a notebook; some browsers add .txt or .json to its name."""
    return re.search(r"(?i)\.ipynb(\.txt|\.json)?$", name) is not None


def _code(data: bytes) -> list[str] | None:
    """The code cells' texts; None where the file is no notebook."""
    try:
        cells = _item(json.loads(data), "cells")
        code = [each for each in cells if _item(each, "cell_type") == "code"]
        return ["".join(_item(each, "source") or "") for each in code]
    except (ValueError, TypeError, RecursionError):
        return None


def _marks(notebook: dict) -> Iterator[str]:
    """The exercises (02/my_step) and grade_ids (my_step-check) in a notebook."""
    cells = notebook.get("cells")
    for cell in cells if isinstance(cells, list) else []:
        mark = _item(_item(_item(cell, "metadata"), "nbgrader"), "grade_id")
        if isinstance(mark, str) and "/" not in mark:
            yield mark
        source = _item(cell, "source")
        if isinstance(source, list):
            source = "".join(line for line in source if isinstance(line, str))
        if isinstance(source, str) and "check(" in source and len(source) < MAX_CHECK:
            try:
                exercise = checked_exercise(source)
            except (ValueError, RecursionError, MemoryError):  # made to break a parser
                continue
            if exercise and "/" in exercise:
                yield exercise


def _item(holder: object, key: str) -> object:
    """The item of a dictionary; None where it is none or has no such key."""
    return holder.get(key) if isinstance(holder, dict) else None
