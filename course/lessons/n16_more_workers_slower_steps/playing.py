"""This notebook's instrument: links, gradients and a slow worker, on real workers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from course.checks.failures import StepFailed
from course.lessons.n16_more_workers_slower_steps.played_steps import (
    Circumstances,
    PlayedSteps,
    play_steps,
)
from course.lessons.n16_more_workers_slower_steps.step_lanes import (
    describe_run,
    step_lanes,
)
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice, Switch

NO_LIMIT = 0.0  # None would be no choice
DELAYS = {"0": 0.0, "2": 0.002, "10": 0.01}
BANDWIDTHS = {"no limit": NO_LIMIT, "1000": 1e6, "300": 3e5}


def steps_over_links(reduces: Mapping[str, Callable]) -> None:
    """Show the instrument.

    reduces: name -> a function like `broken_all_reduce`; the first is shown first. Once
        the exercise is solved, the learner's own one can be chosen as well.
    """
    first = next(iter(reduces.values()))
    links = {"of all workers": False, "of worker 1 only": True}
    instrument(
        [
            Choice("workers", "workers", {"2": 2, "3": 3}, 2),
            Choice("tensors", "tensors", {str(n): n for n in (1, 4, 12)}, 12),
            Choice(
                "numbers", "numbers in all", {"2,400": 2400, "48,000": 48_000}, 2400
            ),
            Choice("delay", "delay, ms", DELAYS, 0.002),
            Choice("bandwidth", "kB a second", BANDWIDTHS, NO_LIMIT),
            Choice("loss", "lost", {"nothing": 0.0, "1 in 50": 0.02}, 0.0),
            Choice("one_link", "slow links", links, False),
            Switch("slow", "worker 1 works longer"),
            Choice("reduce", "all-reduce", dict(reduces), first, "16/my_all_reduce"),
        ],
        run,
        step_lanes,
        describe_run,
        idle=idle_knobs,
    )


def run(reduce: Callable, bandwidth: float, **circumstances) -> PlayedSteps:
    """Let real workers make some steps.

    Raises:
        ValueError: they stopped with an error; says which.
    """
    limit = None if bandwidth == NO_LIMIT else bandwidth
    try:
        return play_steps(reduce, Circumstances(bandwidth=limit, **circumstances))
    except StepFailed as failed:
        raise ValueError(str(failed)) from None


def idle_knobs(delay: float, loss: float, **others: object) -> dict[str, str]:
    """Return which knobs change nothing with the others as they are: name -> why."""
    if delay or loss:
        return {}
    return {"one_link": "no link has a delay or loses anything"}
