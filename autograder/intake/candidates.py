"""Which of several files is a student's answer to a notebook, and who is who."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.intake.archives import printable
from autograder.intake.files import File
from autograder.intake.owners import EXAMPLE, Owner
from autograder.places import CourseError

WITH_NUMBER = r"(?P<student>.+?_(?P<lms_id>\d+))_.*"
SHOWN = 3  # examples in a message
# What Canvas adds to the name of a file that was handed in again.
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


def each_one(candidates: list[Candidate]) -> list[list[Candidate]]:
    """The candidates for each student's notebook, by student and notebook."""
    groups = defaultdict(list)
    for each in candidates:
        groups[each.key].append(each)
    return [groups[key] for key in sorted(groups)]


def last_of(group: list[Candidate]) -> tuple[Candidate, list[str]]:
    """The one that counts, and a line for each that does not."""
    if len({each.digest for each in group}) == 1:
        first, *rest = group
        return first, [f"{c.file.shown}: the same as {first.file.shown}." for c in rest]
    order = _order(group)
    last = max(order, default=None)
    latest = {c.digest for c, at in zip(group, order, strict=False) if at == last}
    if len(latest) != 1:
        student, notebook = group[0].key
        raise CourseError(
            f"{student} handed in different files for {notebook}, and nothing says "
            f"which is the last:\n{examples(each.file.shown for each in group)}\n"
            "Take out all but the one that counts."
        )
    chosen = group[order.index(last)]
    return chosen, [
        f"{each.file.shown}: {chosen.file.shown} was handed in later."
        for each in group
        if each is not chosen
    ]


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
    if all(each.timestamp for each in group):
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
        first = group[0]
        for each in group[1:]:
            one, two = first.owner, each.owner
            why = None
            if one.student != two.student:
                why = f"{one.student} and {two.student} differ only in capital letters"
            elif _two_people(first, each):
                why = f"Two students have one name, {one.student}"
            if why:
                pattern = WITH_NUMBER if one.system == two.system != "" else EXAMPLE
                raise CourseError(
                    f"{why}:\n{examples([first.file.shown, each.file.shown])}\n"
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
