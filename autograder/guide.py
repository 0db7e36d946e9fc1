"""The page docs/workshop.md: words of a template, facts of notebooks and lessons."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from autograder.places import CourseError, Places
from autograder.source import Source, checked_exercise
from autograder.timetable import PRACTICE_MINUTES, timetable
from autograder.workshop.options import Options
from course.exercises import (
    Prediction,
    TickTable,
    UnknownName,
    causes,
    find_prediction,
)

HERE = Path(__file__).resolve().parent
TEMPLATE, FACTS = HERE / "guide.md.jinja", HERE / "guide.toml"
Row = Sequence[str]


def render_guide(places: Places, sources: list[Source]) -> str:
    """The page's text.

    Raises CourseError where guide.toml leaves a notebook out, or names an exercise, a
    mistake or an answer that is not there, or the right answer as a wrong one.
    """
    facts = tomllib.loads(FACTS.read_text(encoding="utf-8"))
    notebooks = {each.header.number: each for each in sources}
    if facts["notebooks"].keys() != notebooks.keys():
        odd = sorted(facts["notebooks"].keys() ^ notebooks.keys())
        raise CourseError(f"{FACTS} and the notebooks differ: {', '.join(odd)}.")
    asked = [number for number in notebooks if _prediction(number)]
    minutes = {"vote": facts["vote"], "practice": PRACTICE_MINUTES}
    days = [
        (day["title"], timetable(day, notebooks, asked, **minutes))
        for day in facts["days"]
    ]
    said = [(notebooks[n], about) for n, about in sorted(facts["notebooks"].items())]
    environment = Environment(
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
        trim_blocks=True,
    )
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        days=days,
        vote=facts["vote"],
        questions=_table(question_row(*each) for each in said),
        stuck=_table(row for each in said for row in stuck_rows(*each)),
        memory=Options.memory // 2**30,
        idle=Options.idle // 60,
    )


def question_row(source: Source, about: Mapping) -> Row:
    """Return notebook, question, a wrong answer to it, and what to ask."""
    number = source.header.number
    match _prediction(number):
        case None:
            question, wrong = about["question"], about["wrong"]
        case TickTable() as asked:
            question, wrong = asked.question, f"a tick at {_wrong_tick(asked, about)}"
        case asked:
            letter = about["wrong"]
            if letter == asked.answer or letter not in asked.options:
                raise CourseError(f"{FACTS}: {number}: {letter!r} is no wrong answer.")
            question = asked.question
            wrong = f"**{letter}** {asked.options[letter].text}"
    return _name(source), question, wrong, about["ask"]


def stuck_rows(source: Source, about: Mapping) -> Iterable[Row]:
    """Yield notebook and exercise, what is seen there, and what to say."""
    hints = first_hints(source)
    for place in about["stuck"]:
        if "seen" in place:
            yield _name(source), place["seen"], place["say"]
            continue
        name = f"{source.header.number}/{place['exercise']}"
        known = _causes(name)
        if place["mistake"] not in known:
            raise CourseError(f"{FACTS}: {name} has no mistake {place['mistake']!r}.")
        where = f"{_name(source)} `{place['exercise']}`"
        yield where, known[place["mistake"]], place.get("say") or hints[name]


def first_hints(source: Source) -> dict[str, str]:
    """Return exercise -> its first hint, which is a question."""
    hints, last = {}, None
    for cell in source.cells:
        if cell.role == "check":
            last = checked_exercise(cell.text)
        found = re.search(
            r"<summary>Hint 1.*?</summary>(.*?)</details>", cell.text, re.S
        )
        if found and last:
            hints[last] = " ".join(found[1].split())
    return hints


def _prediction(number: str) -> Prediction | TickTable | None:
    try:
        return find_prediction(number)
    except UnknownName:  # 19 asks for no prediction
        return None


def _wrong_tick(table: TickTable, about: Mapping) -> str:
    """Return the tick, which must be one that no run shows."""
    truth = {
        f"{row}: {column}": tick
        for row, ticks in table.rows.items()
        for column, tick in zip(table.columns, ticks, strict=True)
    }
    if truth.get(about["wrong"], True):
        raise CourseError(f"{FACTS}: {about['wrong']!r} is no wrong tick.")
    return f'"{about["wrong"]}"'


def _causes(name: str) -> dict[str, str]:
    try:
        return causes(name)
    except UnknownName as error:
        raise CourseError(f"{FACTS}: {error}") from None


def _name(source: Source) -> str:
    number, path = source.header.number, f"{source.name}/{source.name}.ipynb"
    return f'[{number}](../notebooks/{path} "{source.header.title}")'


def _table(rows: Iterable[Row]) -> str:
    """Return the rows as lines of a Markdown table, without its head."""
    return "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in rows)


def _cell(text: str) -> str:
    return re.sub(r"[|<]|(?<= )[*](?= )", r"\\\g<0>", text)
