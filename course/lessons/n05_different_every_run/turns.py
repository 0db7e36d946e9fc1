"""The knob by which a learner says which thread takes the next step."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import ipywidgets
import traitlets

from course.lessons.n05_different_every_run.schedules import Interleaving

MOST_THREADS = 3


class TurnButtons(ipywidgets.HBox):
    """A button for each thread, one to go back, and one to start again.

    value: the numbers of the threads, in the order in which they take their steps.
    """

    value = traitlets.Tuple()

    def __init__(self, value: tuple[int, ...] = ()) -> None:
        self.threads = [
            self._button(f"thread {n}: next step", lambda n=n: (*self.value, n))
            for n in range(MOST_THREADS)
        ]
        self.back = self._button("one step back", lambda: self.value[:-1])
        self.again = self._button("start again", lambda: ())
        super().__init__([*self.threads, self.back, self.again], value=value)
        # a line of their own: what is below stays where it is with one more thread
        self.layout.flex_flow, self.layout.width = "row wrap", "100%"

    def _button(self, text: str, following: Callable[[], tuple]) -> ipywidgets.Button:
        made = ipywidgets.Button(description=text)
        made.layout.width = "auto"

        def clicked(_: ipywidgets.Button) -> None:
            self.value = following()

        made.on_click(clicked)
        return made

    def show(self, run: Interleaving) -> None:
        """Offer the threads of `run` that have steps left."""
        for number, button in enumerate(self.threads):
            there = number < run.threads
            button.layout.display = "" if there else "none"
            ended = there and number < len(run.done) and run.done[number]
            if ended and not button.disabled:
                button.disabled = True
                # the focus may be on it: hand it on, or a keyboard user loses it
                next(self._left(run), self.again).focus()
            button.disabled = ended
        self.back.disabled = not self.value

    def _left(self, run: Interleaving) -> Iterator[ipywidgets.Button]:
        pairs = zip(self.threads, run.done, strict=False)
        return (button for button, done in pairs if not done)


class Turns:
    """Whose turn it is, step by step, passed to the run as `name`."""

    def __init__(self, name: str, value: tuple[int, ...]) -> None:
        self.name, self.value = name, value
        self.buttons = TurnButtons(value)

    def widget(self) -> TurnButtons:
        """Return the buttons."""
        return self.buttons
