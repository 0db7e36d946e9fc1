"""The instrument of this notebook: decide which thread takes the next step."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from course.lessons.n05_different_every_run.lanes import lanes
from course.lessons.n05_different_every_run.schedules import (
    Interleaving,
    Update,
    run_schedule,
)
from course.lessons.n05_different_every_run.turns import Turns
from course.pictures.picture import Picture
from course.runs.devices import virtual_devices
from course.runs.replica_exercises import DEVICES
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice

DELTAS = (1.0, 10.0, 100.0)
UNBROKEN = "\N{NO-BREAK SPACE}"  # an order does not go on in the next line
BEGIN = (0,)  # one step taken, so that the first picture shows what a step is


def no_lock(var, deltas, work) -> None:
    """Read, compute, write, in one thread for each delta."""

    def one_thread(delta):
        value = var.numpy()
        added = work(value, delta)
        var.assign(value + added)

    _in_threads(one_thread, deltas)


def lock_around_the_write(var, deltas, work) -> None:
    """The same, but only one thread at a time may write."""
    lock = threading.Lock()

    def one_thread(delta):
        value = var.numpy()
        added = work(value, delta)
        with lock:
            var.assign(value + added)

    _in_threads(one_thread, deltas)


def _in_threads(one_thread: Callable, deltas: Sequence[float]) -> None:
    threads = [threading.Thread(target=one_thread, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def who_goes_next() -> None:
    """Show the instrument."""
    virtual_devices(DEVICES)  # before TensorFlow starts
    turns, found = Turns("order", BEGIN), Ends()

    def picture(now: Interleaving, before: Interleaving | None) -> Picture:
        turns.buttons.show(now)
        return found.told(now)

    functions = {"no lock": no_lock, "lock around the write": lock_around_the_write}
    instrument(
        [
            Choice("threads", "threads", {"2": 2, "3": 3}, 2),
            Choice("update", "update", functions, no_lock, mine="05/my_update"),
            turns,
        ],
        run,
        picture,
    )


def run(threads: int, update: Update, order: Sequence[int]) -> Interleaving:
    """Let the threads take their steps in this order; who can't is passed over."""
    name = getattr(update, "__name__", "mine").replace("_", " ")
    return run_schedule(update, order, DELTAS[:threads], label=name, passing=True)


class Ends:
    """The values that a variable has ended with so far, and the orders that led there.

    They are kept for each update and number of threads.
    """

    def __init__(self) -> None:
        self._of: dict[tuple[str, int], dict[float, str]] = {}

    def told(self, now: Interleaving) -> Picture:
        """Draw a run, with the ends found so far in its sentence."""
        found = self._of.setdefault((now.label, now.threads), {})
        if all(now.done):
            order = UNBROKEN.join(str(e.thread) for e in now.events if e.thread >= 0)
            found.setdefault(now.final, order)
        pairs = sorted(found.items())
        ends = "; ".join(f"{end:g}{UNBROKEN}({order})" for end, order in pairs)
        drawn = lanes(now, steps=2 * now.threads)
        words = f" Values found at the end so far (order): {ends or 'none'}."
        return replace(drawn, sentence=drawn.sentence + words)


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
