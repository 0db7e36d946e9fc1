"""This notebook's instrument: what a step holds, operation by operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import tensorflow as tf

from course.checks.failures import StepFailed
from course.lessons.n12_out_of_memory.memory_film import memory_film
from course.lessons.n12_out_of_memory.memory_limit import StepMemory, run_step
from course.pictures.picture import Picture
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice, Slider

NO_LIMIT = 0.0  # None would be no choice


@dataclass(frozen=True, eq=False)
class Played:
    """The memory of a step, of how many rows, through how many layers."""

    memory: StepMemory
    rows: int
    layers: int


def memory_of_a_step(steps: Mapping[str, Callable]) -> None:
    """Show the instrument.

    steps: name -> a function like `broken_gradients`; the first is shown first. Once
        the exercise is solved, the learner's own one can be chosen as well.
    """
    names = {step: name for name, step in steps.items()}

    def run_named(rows, parts, layers, limit, step) -> Played:
        limit = None if limit == NO_LIMIT else limit
        played = run(rows, layers, limit, in_parts(step, parts))
        label = names.get(step, step.__name__)
        label += f" in {parts} parts" if parts > 1 else ""
        return replace(played, memory=replace(played.memory, label=label))

    limits = {"none": NO_LIMIT, "100": 100.0, "80": 80.0}
    first = next(iter(steps.values()))
    instrument(
        [
            Slider("rows", "rows", 10_000, 60_000, 60_000, step=10_000),
            Choice("parts", "parts", {str(n): n for n in (1, 2, 4)}, 1),
            Choice("layers", "layers", {str(n): n for n in (2, 4, 8)}, 8),
            Choice("limit", "limit, MB", limits, NO_LIMIT),
            Choice("step", "step", dict(steps), first, mine="12/my_gradients"),
        ],
        run_named,
        picture,
        describe_run,
    )


def in_parts(step: Callable, parts: int) -> Callable:
    """Return a step that does `step` on one part of the rows after the other."""
    if parts == 1:
        return step

    def several(weights, x, y, row_losses, most):
        size = -(-len(x) // parts)
        cuts = [slice(at, at + size) for at in range(0, len(x), size)]
        of_parts = [step(weights, x[cut], y[cut], row_losses, most) for cut in cuts]
        return tf.nest.flatten(of_parts)

    return several


def run(rows: int, layers: int, limit: float | None, step: Callable) -> Played:
    """Run the step once, in a process of its own.

    Raises:
        ValueError: it stopped with an error that is not about memory.
    """
    try:
        return Played(run_step(step, limit, rows, layers), rows, layers)
    except StepFailed as failed:
        raise ValueError(str(failed)) from None


def picture(now: Played, before: Played | None) -> Picture:
    """Draw a step as a film; the one before stays as a thin line."""
    return memory_film(now.memory, before and before.memory, now.layers)


def describe_run(now: Played) -> str:
    """Describe in one line how far a step ran."""
    memory = now.memory
    limit = "" if memory.limit is None else f", limit {memory.limit:g} MB"
    last = memory.names[-1].replace(":", ",") if memory.names else "the start"
    end = f"runs to the end, {memory.peak:.1f} MB at most"
    return (
        f"{memory.label}, {now.layers} layers, {now.rows:,} rows{limit}: "
        f"{end if memory.asked is None else f'stops after {last}'}"
    )
