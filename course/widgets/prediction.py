"""The question of a notebook, asked before its code is run."""

from __future__ import annotations

import html
import os
from collections.abc import Callable

import ipywidgets
from IPython.display import HTML, display

from course.checks.declared import find_prediction
from course.checks.questions import Prediction, TickTable
from course.learner.predictions import SURE, make_prediction, ticks
from course.learner.progress import load, remember_opened


def predict(number: str, answer: str | None = None, sure: str = "fairly sure") -> None:
    """Ask the question of notebook `number`, or record `answer` without widgets.

    Args:
        number: such as "02".
        answer: a letter, for keyboards and notebooks without widgets; for a table,
            y or n for each tick with a space between rows.
        sure: "a guess", "fairly sure" or "certain".

    Raises:
        UnknownName: the notebook has no question.
        ValueError: no such answer.
    """
    prediction = find_prediction(number)
    if not os.environ.get("COURSE_GRADING"):  # a grader opens no notebook
        remember_opened(number)
    if answer is not None:
        make_prediction(number, answer, sure)
        display(HTML(_saved(answer, sure)))
        return
    made = load().predictions.get(number, {})
    ask = _ask_table if isinstance(prediction, TickTable) else _ask_choice
    asked, watched, given = ask(prediction, made.get("answer"))
    certainty = ipywidgets.ToggleButtons(
        options=SURE,
        # none at first: how sure one is wants to be thought about, too
        value=made.get("sure") if made.get("sure") in SURE else None,
        tooltips=["How sure are you?"] * len(SURE),
    )
    button = ipywidgets.Button(description="Save my prediction", disabled=True)
    button.layout = ipywidgets.Layout(
        width="auto", align_self="flex-start", margin="12px 2px 4px"
    )
    said = ipywidgets.HTML(_saved(**made) if given() and made else "")

    def ready(change: dict | None = None) -> None:
        button.disabled = given() is None or certainty.value is None

    def record(clicked: ipywidgets.Button) -> None:
        make_prediction(number, given(), certainty.value)
        said.value = _saved(given(), certainty.value)

    for widget in (*watched, certainty):
        widget.observe(ready, "value")
    button.on_click(record)
    ready()
    question = ipywidgets.HTML(
        f'<p id="predict-{number}"><strong>{html.escape(prediction.question)}'
        "</strong></p>"
    )
    sure_label = ipywidgets.HTML("<p>How sure are you?</p>")
    parts = [question, asked, sure_label, certainty, button, _without_mouse(prediction)]
    display(ipywidgets.VBox([*parts, said]))


def _without_mouse(prediction: Prediction | TickTable) -> ipywidgets.HTML:
    """Say how the question is answered from the keyboard."""
    meaning = ""
    if isinstance(prediction, TickTable):
        example = " ".join(["n" * len(prediction.columns)] * len(prediction.rows))
        meaning = " (y is yes, n is no: row by row, in the order of the columns)"
    else:
        example = next(iter(prediction.options))
    call = f'predict("{prediction.number}", "{example}", sure="{SURE[0]}")'
    return ipywidgets.HTML(
        f"<p>Or, in a new cell: <code>{html.escape(call)}</code>{meaning}</p>"
    )


# what is shown, what to watch for changes, and how to read the answer (or None)
Asked = tuple[ipywidgets.Widget, list[ipywidgets.Widget], Callable[[], str | None]]


def _ask_choice(prediction: Prediction, answer: str | None) -> Asked:
    choice = ipywidgets.RadioButtons(
        options=[(f"{k}. {o.text}", k) for k, o in prediction.options.items()],
        value=answer if answer in prediction.options else None,
        layout=ipywidgets.Layout(width="auto", max_width="62em"),
    )
    return choice, [choice], lambda: choice.value


def _ask_table(table: TickTable, answer: str | None) -> Asked:
    before = ticks(table.number)
    heads = [ipywidgets.HTML(f"<b>{html.escape(c)}</b>") for c in ("", *table.columns)]
    cells, boxes = heads, []
    for row in table.rows:
        cells.append(ipywidgets.HTML(f"<code>{html.escape(row)}</code>"))
        for index, column in enumerate(table.columns):
            box = ipywidgets.Checkbox(
                value=bool(before) and before[row][index],
                description="yes",
                tooltip=f"{row}: {column}",
                indent=False,
            )
            boxes.append(box)
            cells.append(box)
    wide = len(table.columns)
    grid = ipywidgets.GridBox(
        cells,
        layout=ipywidgets.Layout(
            grid_template_columns=f"22em {'12em ' * wide}", grid_gap="0px 8px"
        ),
    )

    def given() -> str:
        letters = ["ny"[box.value] for box in boxes]
        starts = range(0, len(letters), wide)
        return " ".join("".join(letters[i : i + wide]) for i in starts)

    return grid, boxes, given


def _saved(answer: str, sure: str) -> str:
    marks = answer.count("y")  # of a table; a choice is a capital letter
    said = f"{marks} yes, the rest no" if " " in answer else answer
    return (
        f"<p>Saved: {html.escape(said)} ({html.escape(sure)}). "
        "You will meet it again below.</p>"
    )
