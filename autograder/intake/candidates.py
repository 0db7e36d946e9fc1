"""Which of several files is a student's answer to a notebook, and who is who."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from autograder.intake.archives import printable
from autograder.intake.files import File
from autograder.intake.owners import EXAMPLE, Owner
from autograder.places import CourseError

WITH_NUMBER = r"(?P<student>.+?_(?P<lms_id>\d+))_.*"
SHOWN = 3  # examples in a message
# What Canvas adds to the name of a file that was handed in again.
TIME = re.compile(r"\d[-+:.\d\sTZ]*([A-Za-z_]+(/[\w+-]+){0,2})?\s*")  # its zone too
AGAIN = re.compile(r"-(\d{1,2}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=\.|$)")


@dataclass(frozen=True)
class Candidate:
    """A file that was found, and what was learned of it.

    digest: of its content.
    told: the course's notebook that its content tells, or None.
    owner, notebook, timestamp: whose and which it is, and when it was handed in.
    """

    file: File
    digest: str
    told: str | None
    owner: Owner | None = None
    notebook: str | None = None
    timestamp: str | None = None

    @property
    def key(self) -> tuple[str, str]:
        """Student and notebook: one answer counts for each."""
        return self.owner.student, self.notebook


def _each_one(candidates: list[Candidate]) -> list[list[Candidate]]:
    """The candidates for each student's notebook, by student and notebook."""
    groups = defaultdict(list)
    for each in candidates:
        groups[each.key].append(each)
    return [groups[key] for key in sorted(groups)]


def last_of_each(
    candidates: list[Candidate],
) -> tuple[list[Candidate], list[str]]:
    """The ones that count, by student and notebook, and a line for each other one.

    Raises CourseError with all students whose last file nothing tells.
    """
    chosen, lines, unclear = [], [], []
    for group in _each_one(candidates):
        last = _last_of(group)
        if last is None:
            student, notebook = group[0].key
            files = examples(each.file.shown for each in group)
            unclear.append(f"{student}, {notebook}:\n{files}")
            continue
        chosen.append(last)
        for each in group:
            if each.digest == last.digest and each is not last:
                lines.append(f"{each.file.shown}: the same as {last.file.shown}.")
            elif each is not last:
                lines.append(f"{each.file.shown}: {last.file.shown} is later.")
    if unclear:
        raise CourseError(
            "There are different files of one student for one notebook, and nothing "
            "says which is the last. Take out all but the one that counts.\n"
            + "\n".join(unclear)
        )
    return chosen, lines


def _last_of(group: list[Candidate]) -> Candidate | None:
    """The one that counts; None where files differ and nothing tells."""
    if len({each.digest for each in group}) == 1:
        return group[0]
    order = _order(group)
    last = max(order, default=None)
    latest = [c for c, at in zip(group, order, strict=False) if at == last]
    return latest[0] if len({each.digest for each in latest}) == 1 else None


def _order(group: list[Candidate]) -> list:
    """What rises with time for each of these, or an empty list."""
    uploads = [each.owner.upload for each in group]
    names = [each.owner.below[0] for each in group]
    if None not in uploads and len({AGAIN.sub("", name) for name in names}) == 1:
        again = [AGAIN.search(name) for name in names]
        return [
            (upload, len(found.group()) if found else 0, found.group() if found else "")
            for upload, found in zip(uploads, again, strict=True)
        ]
    # what else stands there may be a path, which nbgrader's parser would open
    if all(TIME.fullmatch(each.timestamp or "") for each in group):
        from nbgrader.utils import parse_utc  # slow to import, seldom needed

        try:
            return [parse_utc(each.timestamp) for each in group]
        except (ValueError, OverflowError):
            return []
    return []


def one_id_each(candidates: list[Candidate]) -> None:
    """Refuse two students who would become one: in a folder, or on some disks."""
    by_student = defaultdict(list)
    for each in candidates:
        by_student[each.owner.student.casefold()].append(each)
    for group in by_student.values():
        for first, second in combinations(group, 2):
            one, two = first.owner, second.owner
            if one.student != two.student:
                why = f"{one.student} and {two.student} differ only in capital letters"
            elif _two_people(first, second):
                why = f"Two students have one name, {one.student}"
            else:
                continue
            pattern = WITH_NUMBER if one.system == two.system != "" else EXAMPLE
            raise CourseError(
                f"{why}:\n{examples([first.file.shown, second.file.shown])}\n"
                "Rename one, or find another id by --pattern, such as "
                f"--pattern '{pattern}'"
            )


def _two_people(one: Candidate, two: Candidate) -> bool:
    """Whether two owners of one id are two people."""
    first, second = one.owner, two.owner
    if first.said != second.said or first.system != second.system:
        return True
    if first.lms_id == second.lms_id:
        return False
    # Moodle gives a student another number in each assignment
    other = first.export != second.export and one.notebook != two.notebook
    return not (first.system == "Moodle" and other)


def examples(names: Iterable[str]) -> str:
    """A few of these names, one a line, for a message."""
    every = [printable(name) for name in names]
    more = [f"and {len(every) - SHOWN} more"] if len(every) > SHOWN else []
    return "\n".join(f"  {line}" for line in [*every[:SHOWN], *more])
