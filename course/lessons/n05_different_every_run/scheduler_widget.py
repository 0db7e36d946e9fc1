"""A widget in which the learner decides which thread takes the next step."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence

import ipywidgets
from IPython.display import display

from course.checks.failures import StepFailed
from course.lessons.n05_different_every_run.schedules import (
    Interleaving,
    NoSuchStep,
    run_schedule,
)

THREADS = 2
OUTCOMES = (1.0, 10.0, 11.0)


def scheduler(update: Callable) -> None:
    """Show two buttons, one for the next step of each thread, and a log of the steps.

    After each click, the threads run from the start, in the order chosen so far. The
    buttons work by mouse, or by Tab and the space bar. Without widgets,
    `print_schedule(update, [0, 1, 0, 1])` prints the same log.

    Args:
        update: `update(var, deltas, work)`; it gets the deltas 1 and 10.
    """
    steps: list[int] = []
    found: set[float] = set()
    log, told = ipywidgets.HTML(), ipywidgets.HTML()
    log.layout.min_height = "9em"

    def button(text: str, action: Callable[[], None]) -> ipywidgets.Button:
        made = ipywidgets.Button(description=text)
        made.layout.width = "auto"

        def clicked(_: ipywidgets.Button) -> None:
            action()
            draw()

        made.on_click(clicked)
        return made

    threads = [
        button(f"thread {n}: next step", lambda n=n: steps.append(n))
        for n in range(THREADS)
    ]
    again = button("start again", steps.clear)

    def draw() -> None:
        try:
            run = run_schedule(update, steps)
        except StepFailed as error:
            log.value = "".join(_line(sentence) for sentence in error.sentences)
            return
        except NoSuchStep:  # with a lock in `update`, say: the step is not taken
            told.value = _line(f"Thread {steps.pop()} waits for the other thread.")
            return
        for one, done in zip(threads, run.done, strict=False):
            ended = done and not one.disabled
            one.disabled = done
            if ended:  # the focus may be on it: hand it on, or a keyboard user loses it
                next((b for b in threads if not b.disabled), again).focus()
        if all(run.done):
            found.add(run.final)
        log.value = "".join(map(_line, describe(run)))
        told.value = _line(_found(found), strong=True)

    draw()
    display(ipywidgets.VBox([ipywidgets.HBox([*threads, again]), log, told]))


def print_schedule(update: Callable, schedule: Sequence[int]) -> None:
    """Print what happens when the threads take their steps in this order."""
    print("\n".join(describe(run_schedule(update, schedule))))


def describe(run: Interleaving) -> list[str]:
    """Return one line for each step, and one for what the variable holds."""
    lines, held = [f"The variable holds {run.start:g}."], run.start
    for step, event in enumerate(run.events):
        if event.kind == "read":
            what = f"reads {event.value:g}"
        else:
            what = f"writes {event.value:g} over {held:g}"
            held = event.value
        lines.append(f"Step {step}: thread {event.thread} {what}.")
    end = "at the end" if all(run.done) else "now"
    return [*lines, f"The variable holds {run.final:g} {end}."] if run.events else lines


def _found(found: set[float]) -> str:
    missing = [f"{outcome:g}" for outcome in OUTCOMES if outcome not in found]
    have = [f"{outcome:g}" for outcome in OUTCOMES if outcome in found]
    words = f"Found: {', '.join(have) or 'nothing yet'}."
    if missing:
        return f"{words} Still missing: {', '.join(missing)}."
    return f"{words} These are all that two threads can give."


def _line(text: str, strong: bool = False) -> str:
    words = html.escape(text)
    return f"<div>{f'<strong>{words}</strong>' if strong else words}</div>"
