"""Prints the catalogue as JSON: run in a child, since lessons import TensorFlow."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from course.checks.declared import causes, find_prediction
from course.checks.exercises import UnknownName
from course.checks.questions import TickTable
from course.learner.course_map import read_entries

_HEADING = re.compile(r"^## (?:\d+ · )?(.+?)(?: \(.*minutes\))?$", re.MULTILINE)


def describe(notebooks: Path) -> list[dict]:
    """Return what stands in the built notebooks below `notebooks`, ready for JSON."""
    return [
        {
            "number": entry.number,
            "title": entry.title,
            "exercises": _exercises(notebooks / entry.path[3:], entry.exercises),
            "question": _question(entry.number),
        }
        for entry in read_entries(notebooks)
    ]


def _exercises(notebook: Path, names: tuple[str, ...]) -> list[dict]:
    titles = _headings(notebook)
    return [
        {"name": name, "title": titles.get(name, ""), "mistakes": _mistakes(name)}
        for name in names
    ]


def _headings(notebook: Path) -> dict[str, str]:
    """Return exercise -> the heading that its check cell stands under."""
    headings, last = {}, ""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            last = (_HEADING.findall(text) or [last])[-1]
        for name in re.findall(r'^check\("([^"]+)"', text, re.MULTILINE):
            headings[name] = last
    return headings


def _mistakes(name: str) -> dict[str, str]:
    try:
        return causes(name)
    except UnknownName:  # the jobs of 21 are composed when its notebook runs
        return {}


def _question(number: str) -> dict | None:
    try:
        question = find_prediction(number)
    except UnknownName:
        return None
    if isinstance(question, TickTable):
        return {
            "text": question.question,
            "answer": question.answer,
            "columns": list(question.columns),
            "rows": list(question.rows),
        }
    return {
        "text": question.question,
        "answer": question.answer,
        "options": {
            letter: {"text": option.text, "comment": option.comment}
            for letter, option in question.options.items()
        },
    }


if __name__ == "__main__":
    json.dump(describe(Path(sys.argv[1])), sys.stdout)
