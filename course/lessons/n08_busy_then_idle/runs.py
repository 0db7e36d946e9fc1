"""Runs of a dataset: cases, what is observed of them, the truth, the differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Observation
from course.lessons.n08_busy_then_idle.input_pipeline import READERS
from course.lessons.n08_busy_then_idle.reads import Run, run_reads

SOME = 2  # stands for two or three: reads at a time, or threads
FEW = 3  # fewer elements than readers


@dataclass(frozen=True, eq=False)
class Case:
    """Values to read; whether reads and steps wait for each other."""

    values: np.ndarray
    meets: bool

    @property
    def n(self) -> int:
        """The number of elements."""
        return len(self.values)

    def __str__(self) -> str:
        return f"n = {self.n}"


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw a number of elements that does not divide by four, and a very small one."""
    # never one more than a multiple of four: then "the last" and "the rest" were one
    sizes = int(rng.choice([14, 15, 18, 19])), FEW
    return [
        Case(rng.permutation(90)[:n].astype(np.float32) + 0.5, meets=n > READERS)
        for n in sizes
    ]


def observe(function: Callable, case: Case) -> Observation:
    """Run the learner's dataset for real."""
    return observation(case, run_reads(function, case.values, case.meets))


def expect(case: Case) -> Observation:
    """Read the elements one after the other: each comes once."""
    once = (1,) * case.n
    return observation(case, Run(came=once, calls=once))


def observation(case: Case, run: Run) -> Observation:
    """Values: how often each element came; counts: how they were read.

    What a dataset allows counts only where its reads do not meet. What hangs on chance
    after another fault is left out: of an endless dataset, how often its elements came;
    of wrong elements, how they lie beside the steps.
    """
    came = np.zeros(case.n) if run.stopped else np.array(run.came, float)
    again = any(k > max(n, 1) for k, n in zip(run.calls, run.came, strict=True))
    # where reads do not wait, the order of a few elements hangs on chance
    free = run.stopped or not case.meets or bool((came > 1).any())
    ordered = run.ordered or free
    wrong = run.beyond or run.strange or run.stopped or run.early or again
    sound = run.single and ordered and bool((came == 1).all()) and not wrong
    meet = case.meets and sum(run.calls) >= READERS and not run.early
    met = _few(run.met) if meet else READERS
    later = run.later and met == 1
    told = met < READERS and not later
    allowed = (run.parallel, _few(run.threads)) if told else (True, READERS)
    counts = {
        "beyond": run.beyond,
        "strange": run.strange,
        "single": run.single or run.stopped,
        "ordered": ordered,
        "stopped": run.stopped,
        "again": again and not (run.early or run.stopped),
        "early": run.early,
        "met": met,
        "later": later,
        "parallel": allowed[0],
        "threads": allowed[1],
        "alternates": run.alternates and sound,
        "all first": run.late and not run.left and sound,
        "most first": run.late and run.left and sound,
    }
    return Observation(came, {name: (int(count),) for name, count in counts.items()})


def _few(number: int) -> int:
    """What a number of reads or threads counts as: 0, 1, SOME or READERS."""
    return SOME if 1 < number < READERS else min(number, READERS)


def compare(case: Case, got: Observation, truth: Observation) -> Difference:
    """Describe the first difference: the elements first, then how they were read."""
    wrong = {name for name in truth.counts if got.counts[name] != truth.counts[name]}
    if (got.values != 1).any():
        wrong.add("came")
    missing = _missing(got.values)
    most = {1: "no two ran at once", SOME: "no four ran at once"}
    each = f"Expected: what read returns for 0, 1, ... {case.n - 1}, each once."
    differences = {
        "stopped": ("The dataset did not end, so the check stopped it.", each),
        "beyond": ("read was called for a number outside 0 to n - 1.", each),
        "strange": (
            f"The dataset gave numbers that read did not return. {missing}",
            each,
        ),
        "came": (missing, each),
        "single": ("The loop got every element once, but in batches.", each),
        "ordered": (
            "The loop got every element once, but in another order.",
            "Expected: in the order of their numbers.",
        ),
        "early": (
            "read was called before the function had returned its dataset.",
            "Expected: it is called when the loop asks for elements.",
        ),
        "again": (
            "Some elements were read more often than the loop got them.",
            "Expected: one call of read for each element.",
        ),
        "met": (
            "The loop got all elements, but of the first four reads, "
            f"{most.get(got.counts['met'][0], 'none ran')}.",
            f"Expected: {READERS} reads at once, even on one core.",
        ),
        "all first": (
            "Four reads ran at once, but all elements were read before the first step "
            "began.",
            "Expected: the first step begins while later elements are read.",
        ),
        "most first": (
            "Four reads ran at once, but the first step began only when nearly all "
            "elements had been read.",
            "Expected: the first step begins once the first elements are there.",
        ),
        "alternates": (
            "Four reads ran at once, but nothing was read during a step, though some "
            "elements were left.",
            "Expected: while a step runs, the next reads go on.",
        ),
    }
    first = next((name for name in differences if name in wrong), "alternates")
    return Difference(*differences[first])


def _missing(came: np.ndarray) -> str:
    never, often = np.flatnonzero(came == 0), np.flatnonzero(came > 1)
    said = []
    if len(never) == len(came):
        return "The loop got no element."
    if len(never):
        which = ", ".join(map(str, never[:6])) + (", ..." if len(never) > 6 else "")
        said.append(f"these are missing: {which}")
    if len(often):
        times = f"up to {int(came.max())} times"
        count = f"{len(often)} element{'s' * (len(often) > 1)}"
        said.append(f"the loop got {count} {times}")
    return f"Of {len(came)} elements, {'; '.join(said)}."
