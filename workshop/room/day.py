"""What the instructor's day is about: the class's files, and the commands on them."""

from __future__ import annotations

import contextlib
import csv
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.places import COURSE_ID, HERE, Places
from workshop.folders import Folders, default_data
from workshop.registered import waiting
from workshop.room.catalogue import Catalogue
from workshop.room.reports import Refused

HANDED_IN = "autograder/submitted"
MOST_SEED = 10**6
LONGEST_COMMENT = 4000
Asked = Mapping[str, object]


@dataclass(frozen=True)
class Day:
    """The folders of a workshop and of its course.

    known: the notebooks and exercises that there are.
    register: whether learners register themselves and wait.
    """

    folders: Folders
    places: Places
    known: Catalogue
    register: bool = False

    def words(self, kind: str, asked: Asked) -> list[str]:
        """Return the words behind `course` of one kind of command.

        Args:
            kind: collect, grade, again, mark, feedback, release, practice, approve or
                stop.
            asked: what the page sent with it.

        Raises:
            Refused: there is no such command, or something in it is nobody's.
        """
        if kind not in KINDS:
            raise Refused("there is no such command")
        return getattr(self, f"_{kind}")(asked)

    def marks_words(self, asked: Asked) -> list[str]:
        """Return the words of the command that tells the points of one submission.

        Raises:
            Refused: nothing of it was collected.
        """
        number, student = self._submitted(asked)
        return ["mark", student, number, "--json", *self._root()]

    def shown(self) -> dict[str, list[str]]:
        """Return the words that the page shows, with NN, PART and SEED to fill in."""
        words = {kind: self.words(kind, {}) for kind in FIXED}
        words["release"] = self._release_words("NN")
        words["practice"] = self._release_words("--practice", "PART", "--seed", "SEED")
        return words

    def notebooks(self) -> list[dict]:
        """Return of each notebook how many were handed in and graded."""
        arrived = self._arrived()
        return [
            {
                "number": each.number,
                "name": name,
                "released": (self.folders.outbound(COURSE_ID) / name).is_dir(),
                "handedIn": arrived.get(name, 0),
                "graded": _count(self.places.results / "records" / name, ".json"),
            }
            for each in self.known.notebooks.values()
            if (name := self._name(each.number))
        ]

    def tables_written(self) -> float:
        """When the tables of grades were written last, in seconds; 0 if never."""
        with contextlib.suppress(OSError):
            return (self.places.results / "grades.csv").stat().st_mtime
        return 0.0

    def waiting(self) -> list[str]:
        """Return who has registered and waits."""
        return waiting(self.folders) if self.register else []

    def submissions(self, number: str) -> list[dict]:
        """Return the collected submissions of a notebook, with what they have got."""
        name = self._name(number)
        table = self.places.results / "grades.csv"
        found = {}
        if table.is_file():
            with table.open(encoding="utf-8", newline="") as file:
                found = {
                    row["student_id"]: row
                    for row in csv.DictReader(file)
                    if row["assignment"] == name
                }
        handed_in = (self.places.root / HANDED_IN).glob(f"*/{name}/{name}.ipynb")
        return [
            self._submission(path.parts[-3], name, path, found)
            for path in sorted(handed_in)
        ]

    def page(self, student: str, name: str) -> Path | None:
        """Return a feedback page, if there is one."""
        known = any(name == self._name(number) for number in self.known.notebooks)
        path = self.places.feedback(student, name)
        return path if known and "/" not in student and path.is_file() else None

    def _submission(self, student: str, name: str, path: Path, table: Mapping) -> dict:
        row = table.get(student, {})
        record = self.places.results / "records" / name / f"{student}.json"
        # when it came here: the file's own time is that of the learner's machine
        came = path.stat().st_ctime
        state = "not graded yet"
        if record.is_file():
            newer = came > record.stat().st_mtime
            state = "graded, and a newer one has come" if newer else "graded"
        return {
            "student": student,
            "state": row.get("note") or state,
            "core": row.get("core_score", ""),
            "coreMost": row.get("core_max_score", ""),
            "further": row.get("further_score", ""),
            "furtherMost": row.get("further_max_score", ""),
            "page": self.places.feedback(student, name).is_file(),
        }

    def _arrived(self) -> dict[str, int]:
        """Of how many learners something of a notebook arrived."""
        counts: dict[str, int] = {}
        inbound = self.folders.inbound(COURSE_ID, "x").parent
        for mine in inbound.iterdir() if inbound.is_dir() else ():
            for name in {
                each.split("+")[1] for each in os.listdir(mine) if "+" in each
            }:
                counts[name] = counts.get(name, 0) + 1
        return counts

    def _name(self, number: object) -> str:
        """The notebook's folder; "" where it was not built here.

        Raises:
            Refused: there is no such notebook.
        """
        if not isinstance(number, str) or number not in self.known.notebooks:
            raise Refused("there is no such notebook")
        return next(
            (each for each in self.places.names() if each.startswith(f"{number}_")), ""
        )

    def _collect(self, asked: Asked) -> list[str]:
        return ["workshop", "collect", *self._data(), *self._root()]

    def _grade(self, asked: Asked) -> list[str]:
        return ["grade", HANDED_IN, *self._root()]

    def _again(self, asked: Asked) -> list[str]:
        number, student = self._submitted(asked)
        one = ["--notebook", number, "--student", student]
        return ["grade", HANDED_IN, *one, *self._root()]

    def _mark(self, asked: Asked) -> list[str]:
        number, student = self._submitted(asked)
        exercise, points = asked.get("exercise"), asked.get("points")
        comment = asked.get("comment") or ""
        if exercise not in {e.name for e in self.known.notebooks[number].exercises}:
            raise Refused("there is no such exercise")
        if not isinstance(points, int | float | None) or isinstance(points, bool):
            raise Refused("points are a number")
        if not isinstance(comment, str) or len(comment) > LONGEST_COMMENT:
            raise Refused(f"a comment has at most {LONGEST_COMMENT} letters")
        wanted = "check" if points is None else f"{points:.10g}"
        given = [f"--points={wanted}", f"--comment={comment}"]
        return ["mark", student, number, exercise, *given, *self._root()]

    def _feedback(self, asked: Asked) -> list[str]:
        return ["workshop", "feedback", *self._data(), *self._root()]

    def _release(self, asked: Asked) -> list[str]:
        if not self._name(asked.get("notebook")):
            raise Refused("there is no such notebook")
        return self._release_words(asked["notebook"])

    def _practice(self, asked: Asked) -> list[str]:
        part, seed = asked.get("part"), asked.get("seed")
        if part not in (1, 2, 3) or type(seed) is not int or not 0 <= seed <= MOST_SEED:
            raise Refused(f"a part is 1, 2 or 3, and a seed 0 to {MOST_SEED}")
        return self._release_words("--practice", str(part), "--seed", str(seed))

    def _release_words(self, *chosen: str) -> list[str]:
        return ["workshop", "release", *chosen, *self._data(), *self._root()]

    def _approve(self, asked: Asked) -> list[str]:
        names, there = asked.get("names"), self.waiting()
        if not (isinstance(names, list) and names and all(n in there for n in names)):
            raise Refused("somebody of these does not wait")
        return ["workshop", "approve", *names, *self._data()]

    def _stop(self, asked: Asked) -> list[str]:
        return ["workshop", "stop", *self._data()]

    def _submitted(self, asked: Asked) -> tuple[str, str]:
        number, student = asked.get("notebook"), asked.get("student")
        name = self._name(number)
        if not isinstance(student, str) or "/" in student or student[:1] in ("-", "."):
            raise Refused("there is no such student")
        if not name or not self.places.submitted(student, name).is_file():
            raise Refused("nothing of this student was collected")
        return number, student

    def _data(self) -> list[str]:
        usual = self.folders.data == default_data()
        return [] if usual else ["--data", str(self.folders.data)]

    def _root(self) -> list[str]:
        usual = self.places.root == HERE.parent
        return [] if usual else ["--root", str(self.places.root)]


FIXED = ("collect", "grade", "feedback", "stop")  # nothing is chosen for these
KINDS = ("collect", "grade", "again", "mark", "feedback", "release", "practice")
KINDS += ("approve", "stop")


def _count(folder: Path, ending: str) -> int:
    try:
        return sum(each.endswith(ending) for each in os.listdir(folder))
    except OSError:
        return 0
