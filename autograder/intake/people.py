"""Who is who: two students who would become one, and names that can be no id."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable

from autograder.intake.archives import printable
from autograder.intake.candidates import Candidate
from autograder.intake.ids import alike, why_not
from autograder.intake.owners import EXAMPLE

WITH_NUMBER = r"(?P<student>.+?_(?P<lms_id>\d+))_.*"


def odd_people(candidates: Iterable[Candidate]) -> dict[Candidate, str]:
    """Why a candidate's student can't be told, for each of which that is so.

    The id can't be used; or two students would become one, in a folder or on some
    disks: then it is so for both, and for all that they handed in.
    """
    odd, groups = {}, defaultdict(list)
    for each in candidates:
        if reason := why_not(each.owner.student):
            name = printable(each.owner.said)
            odd[each] = (
                f'The student id "{name}" {reason}: rename the folder or file, or give '
                "a --pattern that finds another id."
            )
        else:
            groups[alike(each.owner.student)].append(each)
    for group in groups.values():
        pair = _pair(group)
        for each in group if pair else []:
            odd[each] = _reason(each, *pair)
    return odd


def _pair(group: list[Candidate]) -> tuple[Candidate, Candidate] | None:
    """Two of different students, or None where all are one student's."""
    first = {}
    for each in group:  # few differ in this, so that few have to be compared
        owner = each.owner
        number = (owner.lms_id, owner.export, each.notebook)
        first.setdefault((owner.student, owner.said, owner.system, number), each)
    some = list(first.values())
    for place, one in enumerate(some):
        for two in some[place + 1 :]:
            if one.owner.student != two.owner.student or _two_people(one, two):
                return one, two
    return None


def _reason(this: Candidate, one: Candidate, two: Candidate) -> str:
    """What this one's instructor reads; it names the other's file."""
    other = two if _person(this) == _person(one) else one
    mine, its = this.owner, other.owner
    same = mine.student == its.student
    if same and (mine.said == its.said or _composed(mine.said) != _composed(its.said)):
        why = f"Two students have one name, {mine.student}"
    elif not same and mine.student.casefold() == its.student.casefold():
        why = f"{mine.student} and {its.student} differ only in capital letters"
    else:
        why = f"Two names look the same, {mine.student}, but are not"
    if "" in (one.owner.system, two.owner.system):
        then = "rename one of them"
    else:
        pattern = WITH_NUMBER if one.owner.system == two.owner.system else EXAMPLE
        then = f"rename one, or find other ids by --pattern '{pattern}'"
    return printable(f"{why}; the other is {other.file.shown}: {then}.")


def _person(candidate: Candidate) -> tuple:
    owner = candidate.owner
    return owner.student, owner.said, owner.system, owner.lms_id


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


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
