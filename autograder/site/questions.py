"""A notebook's prediction as a question that answers in the browser."""

from __future__ import annotations

import html
from pathlib import Path

from course.checks.declared import find_prediction
from course.checks.questions import Prediction, TickTable

SCRIPT = Path(__file__).with_name("static") / "questions.js"


def question(number: str) -> str:
    """Return the question of notebook `number` as HTML; questions.js answers.

    Raises:
        UnknownName: the notebook has no question.
    """
    asked = find_prediction(number)
    parts = _table(asked) if isinstance(asked, TickTable) else _choice(asked)
    return (
        f'<form class="prediction" data-number="{number}">'
        f"<fieldset><legend>{html.escape(asked.question)}</legend>{parts}</fieldset>"
        '<button type="submit">Answer</button>'
        '<div class="answer" role="status"></div></form>'
    )


def _choice(asked: Prediction) -> str:
    lines = []
    for letter, option in asked.options.items():
        right = " data-right" if letter == asked.answer else ""
        comment = html.escape(option.comment, quote=True)
        lines.append(
            f'<label><input type="radio" name="answer" value="{letter}"{right} '
            f'data-comment="{comment}"> {letter}. {html.escape(option.text)}</label>'
        )
    return "".join(lines)


def _table(asked: TickTable) -> str:
    head = "".join(f'<th scope="col">{html.escape(c)}</th>' for c in asked.columns)
    rows = []
    for row, truth in asked.rows.items():
        cells = "".join(
            f'<td><input type="checkbox"{" data-right" * true} '
            f'aria-label="{html.escape(f"{row}: {column}", quote=True)}"></td>'
            for column, true in zip(asked.columns, truth, strict=True)
        )
        rows.append(f'<tr><th scope="row">{html.escape(row)}</th>{cells}</tr>')
    return (
        f"<table><thead><tr><td></td>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )
