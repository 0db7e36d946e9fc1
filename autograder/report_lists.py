"""What an instructor acts on: reasons for a look, and answers outside their place."""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, zip_longest

from autograder.grading.copies import Group, groups
from autograder.records import ExerciseResult, Misplaced, Record

# where sentences that say the same differ: names, numbers, quotes, all after a colon
VARIES = re.compile(
    r"(?:(?<=\bcell )|(?<=\bbehind ))[\w-]*[\d_-][\w-]*|\b\d\d/\w+|\b\d+\b"
    r"|\"[^\"]*\"|(?<=: ).+|(?<=the last, ).+(?=, counts)|(?<=was named ).+(?=; )",
    re.DOTALL,
)
ANY = "…"


@dataclass(frozen=True)
class Case:
    """One submission that a sentence is true of.

    details: what this submission has in the place of ANY.
    points: at stake; a look may take or give them.
    """

    record: Record
    details: str
    points: float


@dataclass(frozen=True)
class Entry:
    """One sentence and the submissions that it is true of, the most points first."""

    sentence: str
    cases: tuple[Case, ...]

    @property
    def points(self) -> float:
        """All points at stake."""
        return sum(each.points for each in self.cases)


@dataclass(frozen=True)
class Version:
    """A version of an answer that does not stand where its check looks.

    gain: points that it is worth beyond those that the exercise has.
    """

    record: Record
    found: Misplaced
    gain: float

    @property
    def command(self) -> str:
        """Return what gives its points; "" if a terminal could misread a name."""
        notebook, exercise = self.record.notebook, self.found.exercise
        short = exercise.removeprefix(f"{notebook[:2]}/")
        words = [self.record.student, notebook, short]
        points = f"--points {self.found.points:.10g}"
        if not all(each.isprintable() for each in words):
            return ""
        if any(each.startswith("-") for each in words):
            return f"course mark {points} -- {shlex.join(words)}"
        return f"course mark {shlex.join(words)} {points}"


@dataclass(frozen=True)
class Versions:
    """The versions of a class.

    gaining: those that are worth more than the exercise has, the most first.
    counted: those whose points the exercise has because of them.
    others: how many would change nothing.
    """

    gaining: tuple[Version, ...]
    counted: tuple[Version, ...]
    others: int

    @property
    def commands(self) -> list[str]:
        """One command for each exercise, for its best version."""
        best: dict[tuple[str, str, str], str] = {}
        for each in self.gaining:
            key = (each.record.student, each.record.notebook, each.found.exercise)
            best.setdefault(key, each.command)
        return [each for each in best.values() if each]


def by_exercise(record: Record) -> dict[str, ExerciseResult]:
    """Exercise -> its result."""
    return {each.exercise: each for each in record.exercises}


def entries(
    records: Iterable[Record],
    sentences: Callable[[Record], Iterable[str]],
    stake: Callable[[Record], float] = lambda each: each.points,
) -> list[Entry]:
    """Return what is said of the records, the most points at stake first.

    Sentences that differ in a name or a number alone are one entry.

    Args:
        records: in the order in which equal entries stand.
        sentences: gives those of one record.
        stake: gives the points that a look at one record is about.
    """
    kinds: dict[tuple[str, ...], list[tuple[Record, list[list[str]]]]]
    kinds = defaultdict(list)
    for record in records:
        said: dict[tuple[str, ...], list[list[str]]] = defaultdict(list)
        for each in sentences(record):
            said[tuple(VARIES.split(each))].append(VARIES.findall(each))
        for pieces, several in said.items():
            kinds[pieces].append((record, several))
    found = []
    for pieces, some in kinds.items():
        slots = [*zip(*(one for _, several in some for one in several), strict=True)]
        differ = [len(set(each)) > 1 for each in slots]
        filled = [ANY if d else each[0] for d, each in zip(differ, slots, strict=True)]
        sentence = "".join(map("".join, zip_longest(pieces, filled, fillvalue="")))
        cases = [
            Case(record, _details(several, differ), stake(record))
            for record, several in some
        ]
        found.append(_entry(sentence, cases))
    return sorted(found, key=lambda each: -each.points)


def same_answers(
    by_notebook: Mapping[str, Sequence[Record]],
    solution: Callable[[str], Mapping[str, str]],
) -> list[Entry]:
    """Return who has the same answers: one entry for the same students.

    Those that are the course's solution come first.

    Args:
        by_notebook: notebook -> all records of it.
        solution: gives the fingerprints of a notebook's solution.
    """
    found: dict[tuple, list[Group]] = defaultdict(list)
    of = {(e.student, e.notebook): e for some in by_notebook.values() for e in some}
    for name, records in by_notebook.items():
        if any(each.answers for each in records):
            for group in groups(records, solution(name)):
                found[group.solution, group.students].append(group)
    made = []
    for (is_solution, students), some in found.items():
        cases = [
            _copied(of[student, group.notebook], group)
            for student in students
            for group in some
        ]
        entry = Entry(_describe(some, is_solution), tuple(cases))
        made.append((not is_solution, -entry.points, entry))
    return [entry for *_, entry in sorted(made, key=lambda each: each[:2])]


def versions(records: Iterable[Record]) -> Versions:
    """Return the versions outside their place, the most points to give first."""
    gaining, counted, others = [], [], 0
    for record in records:
        results = by_exercise(record)
        for each in record.misplaced:
            has = results[each.exercise].points if each.exercise in results else 0.0
            found = Version(record, each, each.points - has)
            if each.counts:
                counted.append(found)
            elif found.gain > 0:
                gaining.append(found)
            else:
                others += 1
    gaining.sort(key=lambda each: -each.gain)
    return Versions(tuple(gaining), tuple(counted), others)


def _entry(sentence: str, cases: Iterable[Case]) -> Entry:
    first = f"{sentence[:1].upper()}{sentence[1:]}"
    return Entry(first, tuple(sorted(cases, key=lambda each: -each.points)))


def _details(several: Iterable[Sequence[str]], differ: Sequence[bool]) -> str:
    """What is true of one submission, in the places where sentences differ."""
    return "; ".join(dict.fromkeys(", ".join(compress(x, differ)) for x in several))


def _copied(record: Record, group: Group) -> Case:
    results = by_exercise(record)
    some = [results[each].points for each in group.exercises if each in results]
    return Case(record, "", sum(some))


def _describe(some: Sequence[Group], is_solution: bool) -> str:
    exercises = [each for group in some for each in group.exercises]
    renamed = [each for group in some for each in group.renamed]
    whose = "Equal to the course's solution" if is_solution else "Equal answers"
    names = "The names match as well."
    if all(each.file for each in some):
        return f"The same file, byte for byte, with answers to {', '.join(exercises)}."
    if renamed == exercises:
        names = "Only the names differ."
    elif renamed:
        names = f"Only the names differ in {', '.join(renamed)}."
    return f"{whose}: {', '.join(exercises)}. {names}"
