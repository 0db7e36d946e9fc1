"""This notebook's instrument: what a step holds, operation by operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from course.checks.failures import StepFailed
from course.lessons.n11_out_of_memory.memory_film import memory_film, sentence
from course.lessons.n11_out_of_memory.memory_limit import StepMemory, run_step
from course.pictures.picture import Picture
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice, Slider


@dataclass(frozen=True, eq=False)
class Played:
    """The memory of a step, and of how many layers."""

    memory: StepMemory
    layers: int


def memory_of_a_step(steps: Mapping[str, Callable]) -> None:
    """Show the instrument.

    steps: name -> a function like `broken_gradients`; the first is shown first. Once
        the exercise is solved, the learner's own one can be chosen as well.
    """
    limits = {"none": None, "100": 100.0, "80": 80.0}
    first = next(iter(steps.values()))
    instrument(
        [
            Slider("rows", "rows", 10_000, 60_000, 60_000, step=10_000),
            Choice("layers", "layers", {str(n): n for n in (2, 4, 8)}, 8),
            Choice("limit", "limit, MB", limits, None),
            Choice("step", "step", dict(steps), first, mine="11/my_gradients"),
        ],
        run,
        picture,
        told,
    )


def run(rows: int, layers: int, limit: float | None, step: Callable) -> Played:
    """Run the step once, in a process of its own.

    Raises:
        ValueError: it stopped with an error that is not about memory.
    """
    try:
        return Played(run_step(step, limit, rows, layers), layers)
    except StepFailed as failed:
        raise ValueError(str(failed)) from None


def picture(now: Played, before: Played | None) -> Picture:
    """Draw a step as a film; the one before stays as a thin line."""
    return memory_film(now.memory, before and before.memory, now.layers)


def told(now: Played) -> str:
    """Say in one line what a step took."""
    return sentence(now.memory, now.layers).rstrip(".")
