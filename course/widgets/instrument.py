"""An instrument: turn the circumstances of a failure, and see what a real run does."""

from __future__ import annotations

import html
import os
import threading
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import ipywidgets
from IPython.display import HTML, display

from course.pictures.picture import Picture, recalled, show
from course.runs.stopping import Stopped, go_on, stoppable
from course.widgets.cells import stop_with_the_next_cell
from course.widgets.film import Film, display_with
from course.widgets.knobs import Idle, Knob, Knobs

TOLD = 6  # of the last runs, under the picture
STOP_SECONDS = 10.0  # for a run to end that was stopped


def instrument(
    knobs: Sequence[Knob],
    run: Callable[..., Any],
    picture: Callable[[Any, Any], Picture],
    told: Callable[[Any], str] | None = None,
    prediction: str | None = None,
    idle: Idle | None = None,
) -> None:
    """Show knobs, and the picture of a run with their values; turned, it runs again.

    A run goes on beside the kernel's other work, can be stopped, and ends when the
    next cell is run. What a setting gave is kept. Without widgets, the picture of the
    first run stands there.

    Args:
        knobs: each with the name of an argument of `run`.
        run: called with the knobs' values; it raises a ValueError, in words for a
            learner, where these values do not go together.
        picture: draws what `run` returned, beside the result shown before it (None
            for the first). A film, if it has moments.
        told: says in one line what a run gave; the last ones stand under the picture.
        prediction: number of a notebook; what the learner predicted stands first.
        idle: called with the knobs' values, returns which knobs have no effect now,
            and why; these are disabled.
    """
    first = run(**{knob.name: knob.value for knob in knobs})
    drawn = picture(first, None)
    if os.environ.get("COURSE_GRADING"):
        show(drawn, prediction=prediction)  # nobody turns a knob there
        return
    made = _Instrument(Knobs(knobs, idle), run, picture, told)
    made.begin(first, drawn)
    said = recalled(prediction)
    if said:
        display(HTML(said))
    display_with(drawn, made.film, around=made.box)


class _Instrument:
    """Knobs, one run at a time, and what it gave."""

    def __init__(
        self,
        knobs: Knobs,
        run: Callable[..., Any],
        picture: Callable[[Any, Any], Picture],
        told: Callable[[Any], str] | None,
    ) -> None:
        self._run, self._picture, self._told = run, picture, told
        self._knobs = knobs
        self.film = Film(alone=False)
        self._says = ipywidgets.HTML()
        self._stop = ipywidgets.Button(description="Stop the run", disabled=True)
        self._stop.layout.width = "auto"
        self._stop.on_click(lambda clicked: self.stop("Stopped."))
        self._lines = ipywidgets.HTML()
        self._kept: dict[Hashable, Any] = {}
        self._runs: list[tuple[dict[str, Any], str]] = []
        self._now: Any = None
        self._thread: threading.Thread | None = None  # of a run whose result is awaited
        self._last: threading.Thread | None = None  # of the last run that began
        self._asked = threading.Event()  # to stop it
        knobs.turned(self._turned)
        status = ipywidgets.HBox([self._stop, self._says])
        self.box = ipywidgets.VBox([knobs.box, status, self.film, self._lines])
        stop_with_the_next_cell(self)

    def begin(self, result: Any, drawn: Picture) -> None:
        """Show the first run, which has been made in the cell."""
        values = self._knobs.values()
        self._kept[self._key(values)] = result
        self._show(values, result, drawn)
        self.add_mine()

    def add_mine(self) -> None:
        """Offer the learner's own functions where their exercises are solved."""
        self._knobs.add_mine()

    def stop(self, why: str) -> None:
        """Let the run that goes on, if one does, end before its next step."""
        if self._thread is None:
            return
        self._thread, self._stop.disabled = None, True
        self._asked.set()
        self._say(why)

    def wait(self) -> None:
        """Wait for a run that was stopped: two at once would be in each other's way."""
        if self._last is not None:
            self._last.join(STOP_SECONDS)

    def _turned(self, change: dict) -> None:
        self.stop("")
        values = self._knobs.values()
        if self._key(values) in self._kept:
            self._finish(values, threading.Event())
            return
        self._stop.disabled, self.film.stale = False, True
        self._say("Running ...")
        self._asked = threading.Event()
        self._thread = threading.Thread(
            target=self._alone, args=(values, self._asked, self._last), daemon=True
        )
        self._last = self._thread
        self._thread.start()

    def _alone(
        self,
        values: dict[str, Any],
        asked: threading.Event,
        before: threading.Thread | None,
    ) -> None:
        """Run in a thread of its own, after the run `before` it has ended."""
        if before is not None:
            before.join()
        with stoppable(asked):
            self._finish(values, asked)
        if not asked.is_set():
            self._thread, self._stop.disabled = None, True

    def _finish(self, values: dict[str, Any], asked: threading.Event) -> None:
        """Run, or take what was kept, and show it; say in words what went wrong."""
        key, said = self._key(values), ""
        try:
            go_on()
            result = self._kept[key] if key in self._kept else self._run(**values)
            drawn = self._picture(result, self._now)
        except Stopped:
            return
        except ValueError as error:
            said = str(error)
        except Exception as error:  # the learner's own function may do anything
            said = f"The run stopped with {type(error).__name__}: {error}"
        if asked.is_set():
            return  # it ended by itself before it asked
        if said:
            self._say(said)
            return
        self._kept[key] = result
        self._show(values, result, drawn)

    def _key(self, values: dict[str, Any]) -> Hashable:
        # a function is itself: the learner's, written anew, is another one
        return tuple(values.values())

    def _show(self, values: dict[str, Any], result: Any, drawn: Picture) -> None:
        self.film.show(drawn)
        self.film.stale = False
        self._say("")
        self._now = result
        if self._told is None:
            return
        key = self._key(values)
        before = [run for run in self._runs if self._key(run[0]) != key]
        self._runs = [(values, self._told(result)), *before][:TOLD]
        lines = self._knobs.differing(self._runs)
        items = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
        told = f'<ul class="course-told" aria-label="Runs so far">{items}</ul>'
        self._lines.value = f"Runs so far, the last one first:{told}"

    def _say(self, text: str) -> None:
        self._says.value = f'<span role="status">{html.escape(text)}</span>'
