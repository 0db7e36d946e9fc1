"""Ask the questions of a form, one at a time, by mouse, keyboard or as text."""

from __future__ import annotations

import html
from collections.abc import Sequence

import ipywidgets
from IPython.display import display

from course.learner.predictions import SURE
from course.widgets.questions.form import Form, Question
from course.widgets.questions.form_a import FORM_A
from course.widgets.questions.form_b import FORM_B

FORMS = {form.name: form for form in (FORM_A, FORM_B)}


def form_named(name: str) -> Form:
    """Return form "A" or "B".

    Raises:
        ValueError: there is no such form.
    """
    if name not in FORMS:
        raise ValueError(f'there are the forms "A" and "B", not {name!r}')
    return FORMS[name]


def ask(name: str, answers: str | None = None, sure: Sequence[str] = ()) -> None:
    """Ask the eight questions of form `name`, or keep `answers` without widgets.

    What was answered stays on this computer; which answers are right, `compare` shows
    when both forms are answered.

    Args:
        name: "A" or "B".
        answers: a letter for each question, such as "ABCDABCD".
        sure: for each of them "a guess", "fairly sure" or "certain"; "fairly sure" by
            default.

    Raises:
        ValueError: no such form, letter or certainty, or not one for each question.
    """
    form = form_named(name)
    if answers is None:
        display(_Asked(form).box)
        return
    letters = [letter for letter in answers.upper() if not letter.isspace()]
    certain = list(sure) or [SURE[1]] * len(letters)
    if not len(letters) == len(certain) == len(form.questions):
        raise ValueError(f"give {len(form.questions)} letters, such as 'ABCDABCD'")
    for number, pair in enumerate(zip(letters, certain, strict=True), start=1):
        form.answer(number, *pair)
    print(f"Form {name}: {len(letters)} answers are kept.")


class _Asked:
    """The widgets of a form: one question at a time, with a way back."""

    def __init__(self, form: Form) -> None:
        self._form = form
        self._text = ipywidgets.HTML()
        self._choice = ipywidgets.RadioButtons(
            layout=ipywidgets.Layout(width="auto", max_width="62em")
        )
        self._sure = ipywidgets.ToggleButtons(options=SURE, value=SURE[1])
        self._back = ipywidgets.Button(description="Back")
        self._next = ipywidgets.Button(description="Keep, and next")
        self._said = ipywidgets.HTML()
        self._choice.observe(self._ready, "value")
        self._back.on_click(lambda _: self._show(self._number - 1))
        self._next.on_click(lambda _: self._keep())
        self.box = ipywidgets.VBox(
            [
                self._text,
                self._choice,
                ipywidgets.HTML("<p>How sure are you?</p>"),
                self._sure,
                ipywidgets.HBox([self._back, self._next]),
                self._said,
            ]
        )
        made = form.answers()
        open_ones = [n for n in range(1, self._count + 1) if n not in made]
        self._show(open_ones[0] if open_ones else 1)

    @property
    def _count(self) -> int:
        return len(self._form.questions)

    def _show(self, number: int) -> None:
        self._number = number
        question = self._form.questions[number - 1]
        self._text.value = question_html(question, f"{number} of {self._count}")
        letter, sure = self._form.answers().get(number, (None, SURE[1]))
        self._choice.options = [
            (f"{key}. {option.text}", key) for key, option in question.options.items()
        ]
        self._choice.value = letter
        self._sure.value = sure
        self._back.disabled = number == 1
        last = number == self._count
        self._next.description = "Keep" if last else "Keep, and next"
        self._tell()

    def _ready(self, change: dict | None = None) -> None:
        self._next.disabled = self._choice.value is None

    def _keep(self) -> None:
        self._form.answer(self._number, self._choice.value, self._sure.value)
        self._show(min(self._number + 1, self._count))

    def _tell(self) -> None:
        kept = len(self._form.answers())
        self._said.value = f"<p>{kept} of {self._count} answers are kept.</p>"
        self._ready()


def question_html(question: Question, place: str) -> str:
    """Return a question without its options as HTML; `place` is such as "2 of 8"."""
    code = f"<pre>{html.escape(question.code)}</pre>" if question.code else ""
    return (
        f'<div style="max-width:62em;line-height:1.45"><p><strong>Question {place}'
        f"</strong></p><p>{html.escape(question.story)}</p>{code}"
        f"<p><strong>{html.escape(question.asked)}</strong></p></div>"
    )
