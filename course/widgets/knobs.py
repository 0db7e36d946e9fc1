"""The knobs of an instrument: a slider, buttons or a menu for a choice, a switch."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
Idle = Callable[..., Mapping[str, str]]  # knobs' values -> those without effect: why


class Knobs:
    """The widgets of some knobs, and which of them change nothing now.

    box: the widgets in a row, and below them why some are disabled.
    """

    def __init__(self, knobs: Sequence[Knob], idle: Idle | None = None) -> None:
        self._made = {knob.name: (knob, knob.widget()) for knob in knobs}
        self._idle, self._locked = idle, False
        self._why = ipywidgets.HTML()
        across = ipywidgets.Layout(flex_flow="row wrap", align_items="center")
        widgets = [widget for _, widget in self]
        self.box = ipywidgets.VBox([ipywidgets.Box(widgets, layout=across), self._why])
        for widget in widgets:
            widget.observe(self._update, "value")
        self._update()

    def __iter__(self) -> Iterator[tuple[Knob, ipywidgets.Widget]]:
        return iter(self._made.values())

    def values(self) -> dict[str, Any]:
        """Return the value of each knob by its name."""
        return {name: widget.value for name, (_, widget) in self._made.items()}

    def turned(self, call: Callable[[dict], None]) -> None:
        """Call `call(change)` whenever a knob is turned."""
        for _, widget in self:
            widget.observe(call, "value")

    def add_mine(self) -> None:
        """Offer the learner's own functions where their exercises are solved."""
        for knob, widget in self:
            if isinstance(knob, Choice):
                knob.add_mine(widget)

    def lock(self, locked: bool) -> None:
        """Disable all knobs while a run goes on, or enable them again."""
        self._locked = locked
        self._update()

    def differing(self, runs: Sequence[tuple[Mapping[str, Any], str]]) -> list[str]:
        """Return a line for each run that names every knob in which the runs differ.

        Args:
            runs: for each, the knobs' values and a line that may name some of them.
        """
        added = []
        for name in self._made:
            shown = [self._shown(name, values[name]) for values, _ in runs]
            lines = zip(shown, runs, strict=True)
            named = all(re.search(_word(each), line) for each, (_, line) in lines)
            if len(set(shown)) > 1 and not named:
                added.append([f"{self._made[name][0].label} {each}" for each in shown])
        more = [f" ({', '.join(each)})" for each in zip(*added, strict=True)]
        more = more or [""] * len(runs)
        return [line + each for (_, line), each in zip(runs, more, strict=True)]

    def _shown(self, name: str, value: Any) -> str:
        knob, widget = self._made[name]
        if isinstance(knob, Switch):
            return "on" if value else "off"
        if isinstance(knob, Slider):
            return str(value)
        # an older function of the learner's may not be among the options any more
        found = [
            text for text, each in widget.options if each is value or each == value
        ]
        return found[0] if found else getattr(value, "__name__", str(value))

    def _update(self, _: object = None) -> None:
        why = self._idle(**self.values()) if self._idle else {}
        for name, (_, widget) in self._made.items():
            widget.disabled = self._locked or name in why
        said = [f"{self._made[name][0].label}: {each}" for name, each in why.items()]
        self._why.value = "<br>".join(html.escape(each) for each in said)


def _word(text: str) -> str:
    """Return the pattern of a text that is not part of a longer word or number."""
    return rf"(?<![\w.]){re.escape(text)}(?![\w]|\.\d)"


def _in_notebook(name: str) -> Callable | None:
    shell = get_ipython()
    function = shell.user_ns.get(name) if shell else None
    return function if callable(function) else None
