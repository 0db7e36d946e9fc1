"""The page docs/workshop.md: words of a template, facts of rooms and lessons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from autograder.learner_limits import IDLE, MEMORY
from autograder.places import CourseError, Places
from autograder.source import Source, checked_exercise
from autograder.timetable import PRACTICE_MINUTES, timetable
from autograder.toml_files import read_toml
from course.checks.declared import find_cause, find_prediction
from course.checks.exercises import UnknownName
from course.checks.questions import Prediction, TickTable

HERE = Path(__file__).resolve().parent
TEMPLATE, FACTS = HERE / "guide.md.jinja", HERE / "guide.toml"
Row = Sequence[str]


def render_guide(places: Places, sources: list[Source]) -> str:
    """The page's text.

    Raises CourseError where a room has no guide.toml, or that file names an exercise,
    a mistake or an answer that is not there, or the right answer as a wrong one.
    """
    facts = read_toml(FACTS)
    notebooks = {each.header.number: each for each in sources}
    said = [(each, _about(each)) for each in sources]
    asked = [number for number in notebooks if _prediction(number)]
    half_day = [each.header.number for each, about in said if about.get("half_day")]
    minutes = {"vote": facts["vote"], "practice": PRACTICE_MINUTES}
    days = [
        (day["title"], timetable(day, notebooks, asked, half_day, **minutes))
        for day in facts["days"]
    ]
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
        memory=MEMORY // 2**30,
        idle=IDLE // 60,
    )


def _about(source: Source) -> dict:
    """What the room's guide.toml says of a notebook."""
    path = _file(source)
    about = read_toml(path)
    needed = ["wrong", "ask", "stuck"]
    needed += [] if _prediction(source.header.number) else ["question"]
    if missing := [name for name in needed if name not in about]:
        raise CourseError(
            f"{path} lacks {', '.join(missing)} of notebook {source.header.number}. "
            f"{FACTS} explains each, and docs/workshop.md shows them."
        )
    return about


def _file(source: Source) -> Path:
    return source.path.with_name("guide.toml")


def question_row(source: Source, about: Mapping) -> Row:
    """Return notebook, question, a wrong answer to it, and what to ask."""
    number = source.header.number
    match _prediction(number):
        case None:
            question, wrong = about["question"], about["wrong"]
        case TickTable() as asked:
            question, wrong = (
                asked.question,
                f"a tick at {_wrong_tick(asked, about, source)}",
            )
        case asked:
            letter = about["wrong"]
            if letter == asked.answer or letter not in asked.options:
                raise CourseError(f"{_file(source)}: {letter!r} is no wrong answer.")
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
        try:
            cause = find_cause(name, place["mistake"])
        except UnknownName as error:
            raise CourseError(f"{_file(source)}: {error}") from None
        where = f"{_name(source)} `{place['exercise']}`"
        yield where, cause, place.get("say") or hints[name]


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
    except UnknownName:  # 21 asks for no prediction
        return None


def _wrong_tick(table: TickTable, about: Mapping, source: Source) -> str:
    """Return the tick, which must be one that no run shows."""
    truth = {
        f"{row}: {column}": tick
        for row, ticks in table.rows.items()
        for column, tick in zip(table.columns, ticks, strict=True)
    }
    if truth.get(about["wrong"], True):
        raise CourseError(f"{_file(source)}: {about['wrong']!r} is no wrong tick.")
    return f'"{about["wrong"]}"'


def _name(source: Source) -> str:
    number, path = source.header.number, f"{source.name}/{source.name}.ipynb"
    return f'[{number}](../notebooks/{path} "{source.header.title}")'


def _table(rows: Iterable[Row]) -> str:
    """Return the rows as lines of a Markdown table, without its head."""
    return "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in rows)


def _cell(text: str) -> str:
    return re.sub(r"[|<]|(?<= )[*](?= )", r"\\\g<0>", text)
