"""A desk for one job: a button for each look, with its price, and what it showed."""

from __future__ import annotations

import html
import os
from functools import partial
from typing import Any

import ipywidgets
from IPython.display import display

from course.lessons.n21_mystery_jobs.jobs import MysteryJob
from course.lessons.n21_mystery_jobs.looks import LOOKS, coins


def desk(job: MysteryJob) -> None:
    """Show a button for each look at a job, with its price.

    A bought look stays: its button shows it again for free. `job.look("rows")` does
    the same without widgets.
    """
    print(f"This is {job}.")
    print("The first look runs it, which takes some seconds.")
    if os.environ.get("COURSE_GRADING"):
        return  # nobody presses a button there
    display(_Desk(job).box)


class _Desk:
    """The widgets of one job."""

    def __init__(self, job: MysteryJob) -> None:
        self._job = job
        self._says = ipywidgets.HTML()
        self._out = ipywidgets.Output()
        self._buttons = {name: self._button(name) for name in job.looks}
        across = ipywidgets.Layout(flex_flow="row wrap", align_items="center")
        buttons = ipywidgets.Box(list(self._buttons.values()), layout=across)
        self.box = ipywidgets.VBox([buttons, self._says, self._out])
        self._show_bill("")

    def _button(self, name: str) -> ipywidgets.Button:
        button = ipywidgets.Button(tooltip=LOOKS[name].shows)
        button.layout.width = "auto"
        button.on_click(partial(self._pressed, name))
        return button

    def _pressed(self, name: str, _: Any) -> None:
        for button in self._buttons.values():
            button.disabled = True
        self._show_bill(f"{name}: the job is running ...")
        self._out.clear_output(wait=True)
        try:
            with self._out:
                self._job.look(name)
        finally:
            for button in self._buttons.values():
                button.disabled = False
            self._show_bill(f"{name}: {LOOKS[name].shows}.")

    def _show_bill(self, text: str) -> None:
        """Update prices and what has been spent; `text` says what happens now."""
        bought = self._job.ledger.bought(self._job.number)
        for name, button in self._buttons.items():
            price = "bought" if name in bought else coins(LOOKS[name].cost)
            button.description = f"{name} · {price}"
        spent = self._job.ledger.spent(self._job.number)
        line = f"Spent on this job: {coins(spent)}. {text}"
        self._says.value = f'<span role="status">{html.escape(line)}</span>'
