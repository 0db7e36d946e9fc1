"""The knobs of an instrument: a slider, buttons or a menu for a choice, a switch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import ipywidgets
from IPython import get_ipython

from course.checks.verdicts import Outcome
from course.learner.progress import load

MOST_LETTERS = 40  # of all labels of a choice: more of them become a menu


@dataclass(frozen=True)
class Slider:
    """A whole number from `low` to `high`, passed to the run as `name`."""

    name: str
    label: str
    low: int
    high: int
    value: int
    step: int = 1

    def widget(self) -> ipywidgets.IntSlider:
        """Return the slider; it tells its value when it is let go."""
        return ipywidgets.IntSlider(
            value=self.value,
            min=self.low,
            max=self.high,
            step=self.step,
            description=self.label,
            continuous_update=False,
            style={"description_width": "auto"},
            layout=ipywidgets.Layout(width="22em", margin="2px 16px 2px 2px"),
        )


@dataclass(frozen=True)
class Switch:
    """Something that is on or off, passed to the run as `name`."""

    name: str
    label: str
    value: bool = False

    def widget(self) -> ipywidgets.Checkbox:
        """Return a box to tick."""
        return ipywidgets.Checkbox(
            value=self.value,
            description=self.label,
            indent=False,
            layout=ipywidgets.Layout(width="max-content", margin="2px 16px 2px 2px"),
        )


@dataclass(frozen=True)
class Choice:
    """One of several values, passed to the run as `name`.

    options: what is read -> its value, never None, which ipywidgets takes for nothing
        chosen. A single one is no choice, and not shown.
    mine: an exercise, such as "02/my_step"; once it is solved, the learner's own
        function is one more option.
    """

    name: str
    label: str
    options: Mapping[str, Any]
    value: Any
    mine: str = ""

    def __post_init__(self) -> None:
        if any(value is None for value in self.options.values()):
            raise ValueError(f"{self.name}: None cannot be chosen; take another value")

    def widget(self) -> ipywidgets.ToggleButtons | ipywidgets.Dropdown:
        """Return buttons, or a menu where their labels are too long for a line."""
        letters = sum(map(len, self.options)) + (16 if self.mine else 0)
        buttons = letters <= MOST_LETTERS
        kind = ipywidgets.ToggleButtons if buttons else ipywidgets.Dropdown
        made = kind(
            options=list(self.options.items()),
            value=self.value,
            description=self.label,
            style={"description_width": "auto"},
            layout=ipywidgets.Layout(width="max-content", margin="2px 16px 2px 2px"),
        )
        if buttons:
            made.style.button_width = "auto"
            made.add_class("course-knob")
        if len(self.options) == 1:
            made.layout.display = "none"
        return made

    def add_mine(self, widget: ipywidgets.Widget) -> None:
        """Offer the learner's own function, as it is now, once its check was RIGHT."""
        if not self.mine or load().outcomes.get(self.mine) != Outcome.RIGHT:
            return
        function = _in_notebook(self.mine.split("/")[1])
        if function is None or any(value is function for _, value in widget.options):
            return
        chosen = widget.index
        others = list(self.options.items())
        with widget.hold_trait_notifications():
            widget.options = [*others, (f"mine: {function.__name__}", function)]
            widget.index = min(chosen, len(others))
        widget.layout.display = None


Knob = Slider | Switch | Choice


def _in_notebook(name: str) -> Callable | None:
    shell = get_ipython()
    function = shell.user_ns.get(name) if shell else None
    return function if callable(function) else None
