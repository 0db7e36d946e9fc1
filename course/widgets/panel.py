"""A control panel of a real cluster: start, watch, halt, kill, cut off."""

from __future__ import annotations

import html
import os
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import ipywidgets

from course.pictures.picture import Picture, show
from course.runs.cluster.live import Act, Job, LiveRun
from course.runs.cluster.recording import ClusterRun, End
from course.widgets.cells import stop_with_the_next_cell
from course.widgets.film import Film, display_with
from course.widgets.knobs import Idle, Knob, Knobs

Draw = Callable[[ClusterRun, Sequence[Act]], Picture]
ACTIONS = {
    "halt": LiveRun.halt,
    "go on": LiveRun.go_on,
    "kill": LiveRun.kill,
    "cut its link": LiveRun.cut,
}
SHARE = 0.5  # of the time that drawing may take
END_SECONDS = 15.0  # for the processes to be gone


def panel(
    knobs: Sequence[Knob],
    job: Callable[..., Job],
    picture: Draw,
    names: Sequence[str],
    first: Picture,
    idle: Idle | None = None,
) -> None:
    """Show knobs, buttons for each process, and what the processes do.

    The run goes on beside the kernel's other work, and ends with the next cell.

    Args:
        knobs: each with the name of an argument of `job`.
        job: called with the knobs' values: what runs, in the processes of these names;
            it raises a ValueError, in words for a learner, where they do not go
            together.
        picture: draws what has happened so far, and what was done to the processes. A
            film, if it has moments.
        names: of the processes.
        first: stands there until a run is started, and where no widgets are.
        idle: called with the knobs' values, returns which knobs have no effect now,
            and why; these are disabled.
    """
    if os.environ.get("COURSE_GRADING"):
        show(first)  # nobody presses a button there
        return
    made = Panel(Knobs(knobs, idle), job, picture, names)
    made.film.show(first)
    display_with(first, made.film, around=made.box)


class Panel:
    """The widgets, and one run at a time."""

    def __init__(
        self,
        knobs: Knobs,
        job: Callable[..., Job],
        picture: Draw,
        names: Sequence[str],
    ) -> None:
        self._job, self._picture = job, picture
        self._knobs = knobs
        self.film = Film(alone=False)
        self._says = ipywidgets.HTML()
        self._start = _button("Start", lambda _: self.start())
        self._end = _button("End", lambda _: self.stop("Ended."), disabled=True)
        self._live: LiveRun | None = None
        self._thread: threading.Thread | None = None
        self._buttons: dict[str, list[ipywidgets.Button]] = {}
        self._where: dict[str, ipywidgets.HTML] = {}
        rows = [self._row(name) for name in names]
        status = ipywidgets.HBox([self._start, self._end, self._says])
        self.box = ipywidgets.VBox([knobs.box, status, *rows, self.film])
        self.add_mine()
        stop_with_the_next_cell(self)

    def start(self) -> None:
        """Start the processes with the knobs' values."""
        if self._thread is not None and self._thread.is_alive():
            return
        try:
            self._live = LiveRun(self._job(**self._knobs.values()))
        except ValueError as error:
            self._say(str(error))
            return
        self._running(True)
        self._say("The processes start ...")
        self._thread = threading.Thread(target=self._run, args=[self._live])
        self._thread.daemon = True
        self._thread.start()

    def stop(self, why: str) -> None:
        """Let the run that goes on, if one does, be over."""
        if self._live is not None and self._thread.is_alive():
            self._live.end()
            self._say(why)

    def wait(self) -> None:
        """Wait until its processes are gone."""
        if self._thread is not None:
            self._thread.join(END_SECONDS)

    def add_mine(self) -> None:
        """Offer the learner's own functions where their exercises are solved."""
        self._knobs.add_mine()

    def act(self, action: str, name: str) -> None:
        """Do one of ACTIONS to a process, if there is one now."""
        if self._live is not None:
            ACTIONS[action](self._live, name)

    def _row(self, name: str) -> ipywidgets.HBox:
        """One process: its name, its buttons, and where it is."""
        label = ipywidgets.HTML(f"<b>{html.escape(name)}</b>")
        label.layout.width = "5.5em"
        self._buttons[name] = [
            _button(action, partial(self._pressed, action, name), disabled=True)
            for action in ACTIONS
        ]
        for button, action in zip(self._buttons[name], ACTIONS, strict=True):
            button.tooltip = f"{action}: {name}"
        self._where[name] = ipywidgets.HTML()
        return ipywidgets.HBox([label, *self._buttons[name], self._where[name]])

    def _pressed(self, action: str, name: str, _: ipywidgets.Button) -> None:
        self.act(action, name)

    def _run(self, live: LiveRun) -> None:
        drawn_at = cost = 0.0

        def look(run: ClusterRun) -> None:
            nonlocal drawn_at, cost
            self._say(f"Running, {run.seconds:.0f} s")
            self._tell(run, live.acts)
            began = time.monotonic()
            if began > drawn_at + cost / SHARE:
                self.film.show(self._picture(run, live.acts))
                drawn_at, cost = time.monotonic(), time.monotonic() - began

        try:
            run = live.run(look)
            self._tell(run, live.acts)
            self.film.show(self._picture(run, live.acts))
            self._say(f"Over, after {run.seconds:.0f} s.")
        except Exception as error:  # the learner's own function may do anything
            self._say(f"The run stopped with {type(error).__name__}: {error}")
        finally:
            self._running(False)

    def _tell(self, run: ClusterRun, acts: Sequence[Act]) -> None:
        cut = {act.name for act in acts if act.what == "cut"}
        for end in run.ends:
            state = html.escape(_state(end, end.name in cut))
            self._where[end.name].value = f"<code>{state}</code>"
            for button in self._buttons[end.name]:
                # nothing can be done to a process that has ended
                button.disabled = end.outcome not in ("running", "halted")

    def _running(self, runs: bool) -> None:
        """Enable what can be pressed now."""
        self._start.disabled, self._end.disabled = runs, not runs
        for button in (each for row in self._buttons.values() for each in row):
            button.disabled = not runs
        self._knobs.lock(runs)

    def _say(self, text: str) -> None:
        self._says.value = f'<span role="status">{html.escape(text)}</span>'


def _button(words: str, pressed: Callable[[Any], None], **more: Any) -> Any:
    button = ipywidgets.Button(description=words, **more)
    button.layout.width = "auto"
    button.on_click(pressed)
    return button


def _state(end: End, cut: bool) -> str:
    """Say in one line how a process is now."""
    step = end.facts.get("step")
    at = "" if step is None else f"step {step}, "
    match end.outcome:
        case "raised":
            # TensorFlow's own error, where `in_collective` has noted one
            return f"{at}stopped with {end.facts.get('failed') or end.error}"
        case "returned":
            return f"{at}finished"
        case "left":
            return f"{at}ended by itself"
        case "running" | "halted" | "waited":
            kinds = {"halted": "halted ", "waited": "waited "}
            link = "cut off, " if cut else ""
            return f"{link}{at}{kinds.get(end.outcome, '')}{end.place}"
        case outcome:
            return f"{at}{outcome}"
