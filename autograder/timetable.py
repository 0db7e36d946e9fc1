"""Timetables of a workshop: clock times out of the notebooks' own minutes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from autograder.places import CourseError
from autograder.source import Source

PRACTICE_MINUTES = 15  # for the two jobs of `course practice`


@dataclass(frozen=True)
class Line:
    """One line of a timetable.

    begins: the clock time, such as "09:10".
    minutes, vote: of the work, and of the vote on its question; 0 for none.
    text: what happens, as Markdown.
    further: minutes of each further exercise, for who is ready early.
    """

    begins: str
    minutes: int
    vote: int
    text: str
    further: tuple[int, ...] = ()


def timetable(
    day: Mapping,
    notebooks: Mapping[str, Source],
    asked: Sequence[str],
    *,
    vote: int,
    practice: int,
) -> list[Line]:
    """Return the lines of one day; the last one is the end, and has no minutes.

    Args:
        day: `begins`, and the `plan` as autograder/guide.toml explains it.
        notebooks: number -> source, for the minutes in its header.
        asked: numbers of the notebooks that have a question.
        vote: minutes for one vote.
        practice: minutes for one practice.

    Raises:
        CourseError: the plan names a notebook that is not there.
    """
    now, lines = datetime.strptime(day["begins"], "%H:%M"), []
    for each in day["plan"]:
        begins = f"{now:%H:%M}"
        if number := each.get("notebook"):
            if number not in notebooks:
                raise CourseError(f"{day['title']}: there is no notebook {number!r}.")
            header = notebooks[number].header
            voting = vote if number in asked else 0
            text = link(notebooks[number])
            line = Line(begins, header.core, voting, text, header.further)
        elif part := each.get("practice"):
            command = f"Two jobs without a label: `release --practice {part}`"
            line = Line(begins, practice, 0, command)
        else:
            line = Line(begins, each["minutes"], 0, each["text"])
        lines.append(line)
        now += timedelta(minutes=line.minutes + line.vote)
    return [*lines, Line(f"{now:%H:%M}", 0, 0, "End")]


def link(source: Source) -> str:
    """Return a link to a notebook from a page in docs/, with its number and title."""
    path = f"../notebooks/{source.name}/{source.name}.ipynb"
    return f"[{source.header.number} {source.header.title}]({path})"
