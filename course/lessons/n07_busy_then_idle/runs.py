"""Runs of a dataset: cases, what is observed of them, the truth, the differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Observation
from course.lessons.n07_busy_then_idle.input_pipeline import READERS
from course.lessons.n07_busy_then_idle.reads import Run, run_reads

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


def observation(
    came: np.ndarray,
    *,
    beyond: bool = False,
    strange: bool = False,
    single: bool = True,
    ordered: bool = True,
    stopped: bool = False,
    again: bool = False,
    early: bool = False,
    met: int = READERS,
    alternates: bool = False,
    all_first: bool = False,
    parallel: bool = True,
    threads: int = READERS,
) -> Observation:
    """Values: how often each element came. By default, with the counts of a right run.

    What a dataset allows counts only where its reads do not meet. What hangs on chance
    after another fault is left out: of an endless dataset, how often its elements came;
    of wrong elements, how they lie beside the steps.
    """
    came = np.zeros(len(came)) if stopped else np.asarray(came, float)
    once = bool((came <= 1).all())
    ordered = ordered or stopped or not once
    sound = single and ordered and bool((came == 1).all())
    sound = sound and not (beyond or strange or stopped or early or again)
    met = READERS if early else _few(met)
    allowed = (parallel, _few(threads)) if met < READERS else (True, READERS)
    return Observation(
        came,
        {
            "beyond": (int(beyond),),
            "strange": (int(strange),),
            "single": (int(single or stopped),),
            "ordered": (int(ordered),),
            "stopped": (int(stopped),),
            "again": (int(again and not (early or stopped)),),
            "early": (int(early),),
            "met": (met,),
            "parallel": (int(allowed[0]),),
            "threads": (allowed[1],),
            "alternates": (int(alternates and sound),),
            "all first": (int(all_first and sound),),
        },
    )


def _few(number: int) -> int:
    """What a number of reads or threads counts as: 0, 1, SOME or READERS."""
    return SOME if 1 < number < READERS else min(number, READERS)


def observe(function: Callable, case: Case) -> Observation:
    """Run the learner's dataset for real."""
    run = run_reads(function, case.values, case.meets)
    return observation(
        np.array(run.came),
        beyond=run.beyond,
        strange=run.strange,
        single=run.single,
        # where reads do not wait, the order of a few elements hangs on chance
        ordered=run.ordered or not case.meets,
        stopped=run.stopped,
        again=_again(run),
        early=run.early,
        met=run.met if case.meets and sum(run.calls) >= READERS else READERS,
        alternates=run.alternates,
        all_first=run.all_first,
        parallel=run.parallel,
        threads=run.threads,
    )


def _again(run: Run) -> bool:
    return any(k > max(n, 1) for k, n in zip(run.calls, run.came, strict=True))


def expect(case: Case) -> Observation:
    """Read the elements one after the other: each comes once."""
    return observation(np.ones(case.n))


def compare(case: Case, got: Observation, truth: Observation) -> Difference:
    """Describe the first difference: the elements first, then how they were read."""

    def has(name: str) -> bool:
        return got.counts[name] != truth.counts[name]

    wanted = f"Expected: what read returns for 0, 1, ... {case.n - 1}, each once."
    if has("stopped"):
        return Difference("The dataset went on and on, and was stopped.", wanted)
    if has("beyond"):
        return Difference(
            "read was called for a number that is none of the elements'.", wanted
        )
    if has("strange"):
        return Difference(
            f"Numbers came that read did not return. {_missing(got.values)}", wanted
        )
    if (got.values != 1).any():
        return Difference(_missing(got.values), wanted)
    if has("single"):
        return Difference("Every element came once, but in batches.", wanted)
    if has("ordered"):
        return Difference(
            "Every element came once, but in another order.",
            "Expected: in the order of their numbers.",
        )
    if has("early"):
        return Difference(
            "read was called before my_dataset had returned its dataset.",
            "Expected: it is called when somebody asks for elements.",
        )
    if has("again"):
        return Difference(
            "Some elements were read more often than they came.",
            "Expected: one call of read for each element.",
        )
    if has("met"):
        most = {1: "never two at once", SOME: "never four at once"}
        return Difference(
            f"All elements came, but reads: {most.get(got.counts['met'][0], 'none')}.",
            f"Expected: {READERS} reads at once, with one core too.",
        )
    if has("all first"):
        return Difference(
            "Four reads met, but all elements were read before the first step began.",
            "Expected: the first step begins while later elements are read.",
        )
    return Difference(
        "Four reads met, but during a step nothing was read, though some was left.",
        "Expected: while a step runs, the next reads go on.",
    )


def _missing(came: np.ndarray) -> str:
    never, often = np.flatnonzero(came == 0), np.flatnonzero(came > 1)
    said = []
    if len(never) == len(came):
        return "None of the elements came."
    if len(never):
        which = ", ".join(map(str, never[:6])) + (", ..." if len(never) > 6 else "")
        said.append(f"never came: {which}")
    if len(often):
        said.append(f"{len(often)} elements came up to {int(came.max())} times")
    words = "; ".join(said)
    return f"Of {len(came)} elements, {words}." if len(never) else f"{words}."
