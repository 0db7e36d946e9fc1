"""A desk for one job: a button for each look, with its price, and what it showed."""

from __future__ import annotations

import html
import os
from functools import partial
from typing import Any

import ipywidgets
from IPython.display import display

from course.lessons.n21_mystery_jobs.jobs import MysteryJob
from course.lessons.n21_mystery_jobs.looks import LOOKS


def desk(job: MysteryJob) -> None:
    """Show what is known of a job, and a button for each look that one can buy.

    A look stays: the button shows it again for nothing. `job.look("rows")` does the
    same without widgets.
    """
    print(f"{job}. With the first look at what it does, it runs: some seconds.")
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
        self._told("")

    def _button(self, name: str) -> ipywidgets.Button:
        button = ipywidgets.Button(tooltip=LOOKS[name].shows)
        button.layout.width = "auto"
        button.on_click(partial(self._pressed, name))
        return button

    def _pressed(self, name: str, _: Any) -> None:
        for button in self._buttons.values():
            button.disabled = True
        self._told(f"{name}: the job runs ...")
        self._out.clear_output(wait=True)
        try:
            with self._out:
                self._job.look(name)
        finally:
            for button in self._buttons.values():
                button.disabled = False
            self._told(f"{name}: {LOOKS[name].shows}.")

    def _told(self, text: str) -> None:
        """Say what goes on, and what has been paid."""
        bought = self._job.ledger.bought(self._job.number)
        for name, button in self._buttons.items():
            cost = LOOKS[name].cost
            price = "bought" if name in bought else f"{cost} coin{'s' * (cost > 1)}"
            button.description = f"{name} · {price}"
        spent = self._job.ledger.spent(self._job.number)
        line = f"Spent for this job: {spent}. {text}"
        self._says.value = f'<span role="status">{html.escape(line)}</span>'
