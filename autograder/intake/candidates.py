"""Which of several files is a student's answer to a notebook."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from autograder.intake.archives import Unusable, printable
from autograder.intake.files import File
from autograder.intake.held_back import HeldBack, sentence
from autograder.intake.owners import Owner

SHOWN = 3  # examples in a message
# What Canvas adds to the name of a file that was handed in again.
TIME = re.compile(r"\d[-+:.\d\sTZ]*([A-Za-z_]+(/[\w+-]+){0,2})?\s*")  # its zone too
AGAIN = re.compile(r"-(\d{1,2}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=\.|$)")


@dataclass(frozen=True)
class Candidate:
    """A file that was found, and what was learned of it.

    digest: of its content; no two are equal of what could not be read.
    code: digest of its code alone; its own where that could not be read.
    told: the course's notebook that its content tells, or None.
    owner, notebook, timestamp: whose and which it is, and when it was handed in.
    trouble: why it could not be read, or None.
    holds: whether it stands for files that nobody could see.
    blank: whether nothing in it is the learner's answer: as it was handed out, empty,
        or without a cell of this course.
    notes: what a person should know of it.
    """

    file: File
    digest: str
    code: str
    told: str | None = None
    owner: Owner | None = None
    notebook: str | None = None
    timestamp: str | None = None
    trouble: Unusable | None = None
    holds: bool = False
    blank: bool = False
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """Student and notebook: one answer counts for each."""
        return self.owner.student, self.notebook

    def held(self, reason: str) -> HeldBack:
        """This file as what is held back, for this reason."""
        student = self.owner.student if self.owner else ""
        return HeldBack(
            printable(student), self.notebook or "", self.file.shown, printable(reason)
        )


def last_of_each(
    candidates: list[Candidate],
) -> tuple[list[Candidate], list[str], list[HeldBack]]:
    """The ones that count, by student and notebook.

    With them a line for each other one, and the notebooks whose last file nothing
    tells, or whose last file can't be read.
    """
    groups = defaultdict(list)
    for each in candidates:
        groups[each.key].append(each)
    chosen, lines, held = [], [], []
    for key in sorted(groups):
        group = groups[key]
        last = _last_of(group)
        if last is None:
            held.append(_unclear(group))
            continue
        others = [each for each in group if each is not last]
        lines += [_line(each, last) for each in others]
        if last.trouble:
            held.append(last.held(sentence(last.trouble.why, last.trouble.then)))
        else:
            chosen.append(replace(last, notes=(*last.notes, *_again(group, last))))
    return chosen, lines, held


def _line(other: Candidate, last: Candidate) -> str:
    if other.digest == last.digest:
        return f"{other.file.shown}: the same as {last.file.shown}."
    if other.blank:
        return f"{other.file.shown}: no answer is in it."
    if other.code == last.code:
        return f"{other.file.shown}: the same code as {last.file.shown}."
    return f"{other.file.shown}: {last.file.shown} is later."


def _again(group: list[Candidate], last: Candidate) -> list[str]:
    """What a person should know where it was handed in several times."""
    times = len({each.digest for each in group if not each.blank})
    which = f"of {last.timestamp}" if last.timestamp else last.file.shown
    return [f"handed in {times} times; the last, {which}, counts"] if times > 1 else []


def _unclear(group: list[Candidate]) -> HeldBack:
    """Several files, and nothing says which is the last."""
    odd = next((each for each in group if each.trouble), None)
    if odd is None:
        shown = ", ".join(few(each.file.shown for each in group))
        one = replace(group[0], file=replace(group[0].file, shown=shown))
        return one.held(
            f"{len(group)} files for one notebook, and nothing says which is the last: "
            "take out all but the one that counts."
        )
    reason = sentence(odd.trouble.why, odd.trouble.then)
    if good := next((each for each in group if not each.trouble), None):
        reason += (
            f" Or take it out, if it is older than {good.file.shown}: nothing says "
            "which is the last."
        )
    return odd.held(reason)


def _last_of(group: list[Candidate]) -> Candidate | None:
    """The one that counts; None where files differ and nothing tells."""
    order = _order(group)
    last = max(order, default=None)
    latest = [c for c, at in zip(group, order, strict=False) if at == last] or group
    answered = [each for each in latest if not each.blank] or latest
    return answered[0] if len({each.code for each in answered}) == 1 else None


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
    times = [time_of(each.timestamp) for each in group]
    return [] if None in times else times


def time_of(text: str | None) -> object | None:
    """The time that a timestamp tells, in UTC; None where it tells none."""
    # what else stands there may be a path, which nbgrader's parser would open
    if not TIME.fullmatch(text or ""):
        return None
    from nbgrader.utils import parse_utc  # slow to import, seldom needed

    try:
        return parse_utc(text)
    except (ValueError, OverflowError):
        return None


def names_of(owner: Owner) -> tuple[str, ...]:
    """The learner's own names, without what Canvas adds at another upload."""
    if owner.upload is None:
        return owner.below
    return (AGAIN.sub("", owner.below[0]), *owner.below[1:])


def few(names: Iterable[str]) -> list[str]:
    """A few of these names, for a message."""
    every = [printable(name) for name in names]
    more = [f"and {len(every) - SHOWN} more"] if len(every) > SHOWN else []
    return [*every[:SHOWN], *more]


def examples(names: Iterable[str]) -> str:
    """A few of these names, one a line."""
    return "\n".join(f"  {line}" for line in few(names))
