"""What grading found about one submission: kept as one JSON file each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from autograder.core_first import Worth
from course.whole_files import write_whole

NOT_RUN = "NOT RUN"  # the check was not reached, or left no verdict


@dataclass(frozen=True)
class ExerciseResult:
    """What came of one exercise.

    exercise: such as "02/my_step".
    outcome: one of course.checks.verdicts, or NOT RUN.
    points, of: given, and to be had.
    core: whether it belongs to the notebook's core, not to its further exercises.
    mistake, cause: code and sentence of the known mistake it shows, where there is one.
    why: what kept its check from running; or what it said first, without a cause.
    """

    exercise: str
    outcome: str
    points: float
    of: float
    core: bool = True
    mistake: str | None = None
    cause: str | None = None
    why: str | None = None


@dataclass(frozen=True)
class Misplaced:
    """A version of an answer that does not stand where its check looks.

    exercise: such as "02/my_step".
    cell: number of the cell that defines it, among the code cells handed in, from 1.
    where: where it stands, as "after its check".
    outcome: what this version got from the same check, or NOT RUN.
    points: what this version is worth.
    counts: whether the exercise has these points: a further attempt right below its
        check counts by itself.
    """

    exercise: str
    cell: int
    where: str
    outcome: str
    points: float
    counts: bool = False

    def __str__(self) -> str:
        name = self.exercise.partition("/")[2]
        place = f"`{name}` is defined in code cell {self.cell}, {self.where}"
        return f"{place}. {self.verdict}"

    @property
    def verdict(self) -> str:
        """Say what became of this version, as "It was not graded; ..."."""
        points = f"{self.points:.10g} {'point' if self.points == 1 else 'points'}"
        if self.counts:
            return f"That version counts: {self.outcome}, {points}."
        if self.outcome == NOT_RUN:
            return "That version was not graded."
        return f"That version was not graded; it would be {self.outcome}: {points}."


@dataclass(frozen=True)
class Record:
    """The result of grading one student's notebook.

    student, notebook: as in nbgrader's folders; the notebook is its assignment too.
    digest: of all that decided the result; equal digests need not be graded again.
    seed: the cases of all checks were drawn from it.
    exercises: in the notebook's order.
    reasons: why it could not be graded as it was handed in; the student reads them.
    suspicions: what its code does that no exercise needs; only the instructor reads
        these and the flags.
    flags: what else to know: cells that were put back, output that was cut.
    misplaced: versions of answers that do not stand where their check looks.
    answers: exercise -> fingerprint of its answer, as `copies.fingerprint` gives it.
    execution_seconds, wall_seconds: of its cells alone, and of grading it in all.
    memory_guard: what limited its memory: a key of autograder.memory_guards, or "".
    """

    student: str
    notebook: str
    digest: str
    seed: int
    exercises: tuple[ExerciseResult, ...]
    reasons: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    execution_seconds: float = 0.0
    wall_seconds: float = 0.0
    memory_guard: str = ""
    suspicions: tuple[str, ...] = ()
    misplaced: tuple[Misplaced, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)

    @property
    def points(self) -> float:
        """The sum of its points."""
        return sum(each.points for each in self.exercises)

    @property
    def most(self) -> float:
        """The points that were to be had."""
        return sum(each.of for each in self.exercises)

    @property
    def worth(self) -> Worth:
        """Points of the core, and of the further exercises."""
        return Worth.of((not e.core, e.points, e.of) for e in self.exercises)


class Records:
    """All records of a course: FOLDER/NOTEBOOK/STUDENT.json, written whole."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, student: str, notebook: str) -> Path:
        """The file of one record."""
        return self.folder / notebook / f"{student}.json"

    def find(self, student: str, notebook: str) -> Record | None:
        """The record, or None where there is none that can be read."""
        try:
            return _parse(self.path(student, notebook).read_text(encoding="utf-8"))
        except (OSError, ValueError, TypeError, KeyError):
            return None  # grading again makes it

    def write(self, record: Record) -> None:
        """Write a record, whole or not at all."""
        write_whole(
            self.path(record.student, record.notebook),
            json.dumps(asdict(record), indent=1, ensure_ascii=False).encode(
                errors="replace"
            ),
        )

    def remove(self, student: str, notebook: str) -> None:
        """Forget a record: its submission counts as not graded."""
        self.path(student, notebook).unlink(missing_ok=True)

    def __iter__(self) -> Iterator[Record]:
        """All readable records, by notebook and student."""
        for path in sorted(self.folder.glob("*/*.json")):
            record = self.find(path.stem, path.parent.name)
            if record is not None:
                yield record


def _parse(text: str) -> Record:
    data = json.loads(text)
    data["exercises"] = tuple(ExerciseResult(**each) for each in data["exercises"])
    data["reasons"] = tuple(data.get("reasons", ()))
    data["flags"] = tuple(data.get("flags", ()))
    data["suspicions"] = tuple(data.get("suspicions", ()))
    data["misplaced"] = tuple(Misplaced(**each) for each in data.get("misplaced", ()))
    return Record(**data)
