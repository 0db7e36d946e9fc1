"""Compare the two forms: what was right before and after, and how sure one was."""

from __future__ import annotations

import html
import json
from collections import Counter
from pathlib import Path

from IPython.display import HTML, display

from course.checks.verdicts import Outcome
from course.learner.predictions import SURE
from course.widgets.questions.asking import FORMS
from course.widgets.questions.form import Form, Question

MARKS = {
    True: f"{Outcome.RIGHT.shape} right",
    False: f"{Outcome.WRONG.shape} wrong",
}


def compare() -> None:
    """Show both forms side by side, with the reasons; only when both are answered."""
    missing = [form.name for form in FORMS.values() if not form.is_answered]
    if missing:
        forms = " and ".join(f"form {name}" for name in missing)
        hints = " ".join(f'ask("{name}")' for name in missing)
        display(HTML(f"<p>Answer {forms} first: <code>{hints}</code></p>"))
        return
    display(HTML(_table() + _certainty() + _reasons()))


def export(path: str | Path = "my_answers.json") -> Path:
    """Write your answers to a file, for whoever asks you for them; it has no name.

    Returns:
        Where it stands.

    Raises:
        FileExistsError: there is a file of that name.
    """
    told = {
        form.name: [
            {"question": number, "answer": letter, "sure": sure}
            for number, (letter, sure) in form.answers().items()
        ]
        for form in FORMS.values()
    }
    place = Path(path)
    with place.open("x", encoding="utf-8") as file:
        json.dump(told, file, indent=1)
    return place.resolve()


def _right(form: Form, number: int) -> bool:
    return form.answers()[number][0] == form.questions[number - 1].answer


def _pairs() -> list[tuple[int, Question, Question]]:
    before, after = FORMS.values()
    pairs = zip(before.questions, after.questions, strict=True)
    return [(number, a, b) for number, (a, b) in enumerate(pairs, start=1)]


def _table() -> str:
    rows = []
    for number, first, second in _pairs():
        cells = [str(number), html.escape(first.aim)]
        for form in FORMS.values():
            letter, sure = form.answers()[number]
            cells.append(f"{MARKS[_right(form, number)]}: {letter}, {sure}")
        both = {*first.notebooks, *second.notebooks}
        cells.append(", ".join(sorted(both)))
        rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    sums = [
        sum(_right(form, n) for n in range(1, len(form.questions) + 1))
        for form in FORMS.values()
    ]
    heads = ("", "about", "before", "after", "notebooks")
    head = "".join(f"<th>{name}</th>" for name in heads)
    return (
        f"<p><strong>Right before the course: {sums[0]} of {len(rows)}; after it: "
        f"{sums[1]}.</strong></p><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _certainty() -> str:
    """Say how often the learner was right, by how sure they were."""
    said, right = Counter(), Counter()
    for form in FORMS.values():
        for number, (_, sure) in form.answers().items():
            said[sure] += 1
            right[sure] += _right(form, number)
    parts = [f"{sure}: {right[sure]} of {said[sure]} right" for sure in SURE]
    return f"<p>How sure you were, in both forms: {'; '.join(parts)}.</p>"


def _reasons() -> str:
    parts = []
    for form in FORMS.values():
        for number, question in enumerate(form.questions, start=1):
            letter, _ = form.answers()[number]
            if letter == question.answer:
                continue
            truth, taken = question.options[question.answer], question.options[letter]
            parts.append(
                f"<li>Form {form.name}, {number}. You said {letter}: "
                f"{html.escape(taken.comment)} Right is {question.answer}: "
                f"{html.escape(truth.text)}{_source(question)}</li>"
            )
    return f"<ul>{''.join(parts)}</ul>" if parts else ""


def _source(question: Question) -> str:
    if not question.source:
        return ""
    link = html.escape(question.source, quote=True)
    return f' (<a href="{link}">a public report of this kind</a>)'
