"""Where the course's files stand, and how a person may name a notebook."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
COURSE_ID = "tf-parallel-course"  # as nbgrader knows it
EXCHANGE_VARIABLE = "COURSE_EXCHANGE"  # names the root of a workshop's exchange


class CourseError(Exception):
    """An error for people: what is wrong, where, and what to do next."""


@dataclass(frozen=True)
class Places:
    """The folders and files of one course, all below `root`."""

    root: Path

    @property
    def solutions(self) -> Path:
        """The folder of the hand-edited sources and the solution notebooks."""
        return self.root / "solutions"

    @property
    def notebooks(self) -> Path:
        """The folder of the learner's notebooks."""
        return self.root / "notebooks"

    @property
    def claims(self) -> Path:
        """What the rooms' claims.toml have in common: documents and versions."""
        return self.solutions / "documents.toml"

    @property
    def colab(self) -> Path:
        """The folder of the learner's notebooks for Colab, once it is known where."""
        return self.root / "colab"

    @property
    def published(self) -> Path:
        """Where the repository is published; there is none until somebody says so."""
        return self.root / "autograder" / "published.toml"

    @property
    def readme(self) -> Path:
        """The README whose tables the build writes."""
        return self.root / "README.md"

    @property
    def docs(self) -> Path:
        """The folder of the pages that the build writes; a course may have none."""
        return self.root / "docs"

    @property
    def gradebook(self) -> Path:
        """The instructor's gradebook."""
        return self.root / "autograder" / "gradebook.db"

    @property
    def results(self) -> Path:
        """The folder of what grading hands out: report, tables, records."""
        return self.root / "autograder" / "results"

    def submitted(self, student: str, name: str) -> Path:
        """A submitted notebook, where nbgrader expects it."""
        return self._class_file("submitted", student, name, ".ipynb")

    def autograded(self, student: str, name: str) -> Path:
        """An autograded notebook."""
        return self._class_file("autograded", student, name, ".ipynb")

    def feedback(self, student: str, name: str) -> Path:
        """A feedback page."""
        return self._class_file("feedback", student, name, ".html")

    def _class_file(self, kind: str, student: str, name: str, ending: str) -> Path:
        folder = self.root / "autograder" / kind / student / name
        return folder / f"{name}{ending}"

    def source(self, name: str) -> Path:
        """The hand-edited text of a notebook: solutions/NAME/NAME.py."""
        return self.solutions / name / f"{name}.py"

    def lesson(self, name: str) -> Path:
        """The learner's side of a failure: the package of its lesson."""
        return self.root / "course" / "lessons" / f"n{name}"

    def solution(self, name: str) -> Path:
        """The built solution notebook."""
        return self.solutions / name / f"{name}.ipynb"

    def learner(self, name: str) -> Path:
        """The built learner's notebook."""
        return self.notebooks / name / f"{name}.ipynb"

    def names(self) -> list[str]:
        """The names of all notebooks that have a source, in order."""
        return sorted(
            folder.name
            for folder in self.solutions.glob("[0-9][0-9]_*")
            if (folder / f"{folder.name}.py").is_file()
        )

    def find(self, wanted: str) -> str:
        """The notebook meant by a number, a folder's name or a path.

        Raises CourseError with the nearest name where there is none.
        """
        names = self.names()
        last = Path(wanted).name
        stem = Path(last).stem if last.endswith((".ipynb", ".py")) else last
        for name in names:
            number, _, symptom = name.partition("_")
            if stem in (name, symptom, number) or (
                stem.isdigit() and int(stem) == int(number)
            ):
                return name
        raise CourseError(f'There is no notebook "{wanted}".{nearest(stem, names)}')


def nearest(word: str, known: list[str]) -> str:
    """A sentence that suggests the known word most like `word`, or lists them."""
    symptoms = {name.partition("_")[2]: name for name in known}
    close = difflib.get_close_matches(word, [*known, *symptoms], n=1, cutoff=0.5)
    if close:
        return f' Did you mean "{symptoms.get(close[0], close[0])}"?'
    return f" There are: {', '.join(known)}." if known else " None was built yet."


def course_places(root: Path | str | None = None) -> Places:
    """The places of the course at `root`; without it, of this checkout.

    Raises CourseError where no solutions/ folder stands there.
    """
    places = Places(Path(root).resolve() if root else HERE.parent)
    if not places.solutions.is_dir():
        raise CourseError(
            f"There is no course at {places.root}: it has no solutions/ folder. "
            "Run this from an editable install (pip install -e .) of the course's "
            "checkout, or name the checkout with --root."
        )
    return places
