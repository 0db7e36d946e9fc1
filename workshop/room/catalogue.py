"""What can be met in the course: the only texts that the room's pages show.

The lessons import TensorFlow, which is far too large for a small service: a child
process reads them, once for each version of the sources.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from autograder.places import CourseError, course_places
from course.whole_files import write_whole

FOLDER = Path(sys.prefix) / "share" / "tf-parallel-course"
CHILD_SECONDS = 120


@dataclass(frozen=True)
class Exercise:
    """One graded exercise.

    title: the heading it stands under, or "".
    mistakes: code -> the sentence that names the mistake, or sign.
    """

    name: str
    title: str
    mistakes: dict[str, str]

    def codes(self, reported: str) -> tuple[str, ...]:
        """Return the known codes that a reported code joins by +; () if it is none."""
        parts = reported.split("+")
        known = tuple(code for code in self.mistakes if code in parts)
        return known if "+".join(known) == reported else ()


@dataclass(frozen=True)
class Bar:
    """One thing a learner can choose or tick.

    comment: what is wrong, or right, with it; "" for a tick.
    right: whether a run shows it.
    """

    key: str
    label: str
    comment: str
    right: bool


@dataclass(frozen=True)
class Question:
    """A notebook's prediction: options to choose one from, or ticks in a table.

    columns: of the table; empty where one option is chosen.
    """

    number: str
    text: str
    answer: str
    bars: tuple[Bar, ...]
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()

    def chosen(self, answer: str) -> tuple[str, ...] | None:
        """Return the keys of the bars that `answer` stands for; None if it is none."""
        if not self.columns:
            return (answer,) if any(bar.key == answer for bar in self.bars) else None
        words = answer.split(" ")
        wide = len(self.columns)
        if len(words) != len(self.rows) or any(
            len(word) != wide or set(word) - {"y", "n"} for word in words
        ):
            return None
        ticks = "".join(words)
        return tuple(
            bar.key for bar, tick in zip(self.bars, ticks, strict=True) if tick == "y"
        )


@dataclass(frozen=True)
class Notebook:
    """One notebook of the course."""

    number: str
    title: str
    exercises: tuple[Exercise, ...]
    question: Question | None


class Catalogue:
    """All notebooks, by number, and all exercises, by name."""

    def __init__(self, notebooks: list[Notebook]) -> None:
        self.notebooks = {notebook.number: notebook for notebook in notebooks}
        self.exercises = {
            exercise.name: exercise
            for notebook in notebooks
            for exercise in notebook.exercises
        }

    def question(self, number: str) -> Question | None:
        """Return the question of a notebook, or None."""
        notebook = self.notebooks.get(number)
        return notebook.question if notebook else None


def load(root: Path | None = None, folder: Path = FOLDER) -> Catalogue:
    """Return the catalogue of the course at `root`, or of this checkout.

    Args:
        root: the course's folder.
        folder: where the catalogue is kept for the next time.

    Raises:
        CourseError: the course is missing, or its lessons cannot be read.
    """
    places = course_places(root)
    kept = folder / f"catalogue-{_version(places.root)}.json"
    try:
        return parse(json.loads(kept.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError):
        text = _describe(places.notebooks)
    with contextlib.suppress(OSError):  # made anew at the next start, then
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("catalogue-*.json"):
            old.unlink()
        write_whole(kept, text.encode())
    return parse(json.loads(text))


def parse(described: list[dict]) -> Catalogue:
    """Return the catalogue that `catalogue_source` printed."""
    return Catalogue(
        [
            Notebook(
                notebook["number"],
                notebook["title"],
                tuple(Exercise(**exercise) for exercise in notebook["exercises"]),
                _question(notebook["number"], notebook["question"]),
            )
            for notebook in described
        ]
    )


def _question(number: str, found: dict | None) -> Question | None:
    if found is None:
        return None
    answer, text = found["answer"], found["text"]
    if "options" in found:
        bars = tuple(
            Bar(letter, option["text"], option["comment"], letter == answer)
            for letter, option in found["options"].items()
        )
        return Question(number, text, answer, bars)
    columns, rows = tuple(found["columns"]), tuple(found["rows"])
    truth = answer.replace(" ", "")
    cells = [(row, column) for row in rows for column in columns]
    bars = tuple(
        Bar(str(i), f"{row}: {column}", "", tick == "y")
        for i, ((row, column), tick) in enumerate(zip(cells, truth, strict=True), 1)
    )
    return Question(number, text, answer, bars, columns, rows)


def _version(root: Path) -> str:
    digest = hashlib.sha256()
    source = Path(__file__).with_name("catalogue_source.py")
    files = [*root.glob("course/**/*.py"), *root.glob("notebooks/*/*.ipynb"), source]
    for file in sorted(files):
        digest.update(f"{file.name}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def _describe(notebooks: Path) -> str:
    try:
        done = subprocess.run(
            [sys.executable, "-m", "workshop.room.catalogue_source", str(notebooks)],
            env={**os.environ, "CUDA_VISIBLE_DEVICES": ""},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=CHILD_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise CourseError(
            f"The lessons could not be read within {CHILD_SECONDS} s. Try again when "
            "the machine has less to do."
        ) from error
    if done.returncode:
        raise CourseError(f"The lessons could not be read:\n{done.stderr[-2000:]}")
    return done.stdout
