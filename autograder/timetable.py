"""Timetables of a workshop: clock times out of the notebooks' own minutes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from autograder.source import Source

PRACTICE_MINUTES = 25  # for the two jobs of `course practice`


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
    asked: Collection[str],
    half_day: Collection[str],
    *,
    vote: int,
    practice: int,
) -> list[Line]:
    """Return the lines of one day; the last one is the end, and has no minutes.

    Args:
        day: `begins`, `plan` and `breaks`, as autograder/guide.toml explains them.
        notebooks: number -> source, for the minutes in its header, in their order.
        asked: numbers of the notebooks that have a question.
        half_day: numbers of those that are part of half a day.
        vote: minutes for one vote.
        practice: minutes for one practice.
    """
    now, lines = datetime.strptime(day["begins"], "%H:%M"), []
    breaks = list(day.get("breaks", ()))

    def add(minutes: int, voting: int, text: str, further: tuple[int, ...] = ()):
        nonlocal now
        lines.append(Line(f"{now:%H:%M}", minutes, voting, text, further))
        now += timedelta(minutes=minutes + voting)

    for each in day["plan"]:
        if which := each.get("notebooks"):
            chosen = [
                number
                for number, source in notebooks.items()
                if (
                    number in half_day
                    if which == "half_day"
                    else source.header.part in which
                )
            ]
            for number in chosen:
                if (
                    number != chosen[0]
                    and breaks
                    and f"{now:%H:%M}" >= breaks[0]["from"]
                ):
                    pause = breaks.pop(0)
                    add(pause["minutes"], 0, pause["text"])
                header, voting = notebooks[number].header, vote * (number in asked)
                add(header.core, voting, link(notebooks[number]), header.further)
        elif part := each.get("practice"):
            add(practice, 0, f"Two jobs without a label: `release --practice {part}`")
        else:
            add(each["minutes"], 0, each["text"])
    return [*lines, Line(f"{now:%H:%M}", 0, 0, "End")]


def link(source: Source) -> str:
    """Return a link to a notebook from a page in docs/, with its number and title."""
    path = f"../notebooks/{source.name}/{source.name}.ipynb"
    return f"[{source.header.number} {source.header.title}]({path})"
