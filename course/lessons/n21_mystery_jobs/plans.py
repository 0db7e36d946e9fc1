"""Draw which job is of which kind and has which faults; nothing is run here."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from course.lessons.n21_mystery_jobs.faults import (
    FAULTS,
    INSTEAD,
    LOOPS,
    MANY_FILES,
    ON_REPLICAS,
    ON_WORKERS,
    SPLIT,
    Fault,
)
from course.lessons.n21_mystery_jobs.folders import Setting
from course.lessons.n21_mystery_jobs.looks import LOOKS, RUNS, offered
from course.lessons.n21_mystery_jobs.owners import words_of_owner
from course.lessons.n21_mystery_jobs.programs import (
    STYLES,
    Program,
    draw_wording,
    with_repairs,
)

PARTS = (1, 2, 3)
ANEW = frozenset({"start", "told"})  # slots of jobs that begin at their first step
JOBS = 6
PRACTICE = 2  # jobs of a practice, at most
SPLIT_SHARE = 0.5  # of the sets; there it takes the place of a loop over replicas
# one of INSTEAD -> slots of the faults in whose place it can be, the share of such
# sets in which it is, and the number that its draw begins with
PLACES = {
    "clipped_parts": (frozenset({"update"}), 0.5, 12),
    "read_alone": (frozenset({"share", "pieces", "start"}), 0.25, 13),
}
# pairs of which one hides the other; a test tries every pair there is
HIDING = frozenset(
    frozenset(pair)
    for pair in (
        # the last batch, with which it shows, is never used
        ("dropped_tail", "mean_of_means"),
        ("dropped_tail", "fixed_size"),
        # what is left may divide
        ("one_shard", "mean_of_means"),
        ("one_shard", "fixed_size"),
        # equal shares of equal rows: what is done with them comes to the same
        ("not_split", "own_gradient"),
        ("not_split", "mean_of_means"),
        # too few steps are left, of which two may make a graph or stay in memory
        ("larger_batch", "eager"),
        ("larger_batch", "new_function"),
        ("one_shard", "eager"),
        ("one_shard", "new_function"),
        ("larger_batch", "kept_batches"),
        ("one_shard", "kept_batches"),
        # each replica has all rows of a batch: more is in memory than is looked for
        ("not_split", "kept_batches"),
        # it diverges, and the code that looks at the weights stops it
        ("sum_of_means", "host_read"),
        ("mean_of_means", "host_read"),
        # the same rows come out in another way
        ("larger_batch", "repeated_rows"),
        # who trains alone does not wait, and equal rows keep two of them equal
        ("alone", "whole_batch"),
        ("alone", "first_half"),
        ("alone", "same_file"),
        ("alone", "own_steps"),
        ("alone", "unequal_files"),
    )
)


@dataclass(frozen=True, repr=False)  # nobody is told a job's faults by accident
class Plan:
    """What one job is made of.

    number: from 1.
    style: the kind of its program, one of STYLES.
    faults: none, one or two.
    thinned: whether it leaves rows out (jobs with replicas).
    resumed: whether it goes on from a checkpoint (jobs with workers).
    slow: whether it is brought as slow (jobs without a fault).
    seed: of what it is to train, of its names and of what is said of it.
    """

    number: int
    style: str
    faults: tuple[Fault, ...]
    thinned: bool
    resumed: bool
    slow: bool
    seed: int

    @property
    def kind(self) -> str:
        """What shares the work: "replicas", "workers", or "stages" of a model."""
        if self.style == SPLIT:
            return "stages"
        return "workers" if self.style in ON_WORKERS else "replicas"

    @property
    def names(self) -> frozenset[str]:
        """The numbers of the notebooks that name its faults."""
        return frozenset(fault.notebook for fault in self.faults)

    @cached_property
    def report(self) -> str:
        """What a person says who met it."""
        rng = np.random.default_rng([self.seed, 3])
        return words_of_owner(rng, self.faults, slow=self.slow)

    @property
    def expert_looks(self) -> tuple[str, ...]:
        """The looks with which the reference diagnosis names it; all if healthy."""
        if not self.faults:
            return tuple(name for name in offered(self.kind) if name in RUNS)
        needed = {look for fault in self.faults for look in fault.tells}
        return tuple(look for look in LOOKS if look in needed)

    def program(self, *, mended: bool = False) -> Program:
        """Return its program as it is shipped, or mended, in the same surroundings."""
        words = draw_wording(self.seed, self.number, mended=mended)
        # in this order every time: a set's differs from process to process
        codes = tuple(sorted(fault.code for fault in self.faults))
        may = self.resumed if self.kind == "workers" else self.thinned
        program = STYLES[self.style](words, codes, may)
        return with_repairs(program, words, codes) if mended else program

    @cached_property
    def setting(self) -> Setting:
        """What surrounds it."""
        codes = frozenset(fault.code for fault in self.faults)
        return Setting(self.program(), codes, self.style == MANY_FILES)


def draw_plans(
    seed: int, parts: Sequence[int] = PARTS, jobs: int = JOBS
) -> tuple[Plan, ...]:
    """Compose `jobs` jobs from the faults of `parts`.

    Six jobs of all parts are of six styles: two are healthy, one has two faults.
    Fewer jobs have one fault each. No two jobs have faults of the same notebook, while
    there are others.

    Args:
        seed: a whole number from 0 up; the same seed gives the same jobs.
        parts: of the course, from 1, 2 and 3.
        jobs: 6, of all parts, or 1 or 2.

    Raises:
        ValueError: seed, parts or jobs are not as said above.
    """
    _refuse_bad(seed, parts, jobs)
    whole = jobs == JOBS
    rng = np.random.default_rng([seed, *([] if whole else sorted(set(parts))), 19])
    styles = _styles(rng, seed, set(parts), jobs)
    counts = [1] * jobs
    if whole:
        slow = next(k for k, style in enumerate(styles) if style in ON_REPLICAS)
        others = [k for k in range(jobs) if k != slow]
        fine, double = rng.choice(others, 2, replace=False)
        counts[slow] = counts[fine] = 0
        counts[double] = 2
    used: set[str] = set()
    faults: dict[int, tuple[Fault, ...]] = {}
    # of a practice, who has least to choose from begins
    for place in sorted(
        range(jobs), key=lambda k: 0 if whole else len(_known(styles[k], parts))
    ):
        drawn = _draw_faults(rng, _known(styles[place], parts), used, counts[place])
        used |= {fault.notebook for fault in drawn}
        faults[place] = drawn
    _put_instead(seed, styles, faults)
    order = enumerate(rng.permutation(jobs), start=1)
    return tuple(
        plan(rng, number, styles[place], faults[place], whole and place == slow)
        for number, place in order
    )


def _refuse_bad(seed: object, parts: object, jobs: object) -> None:
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise ValueError(f"seed must be a whole number from 0 up, not {seed!r}")
    if not parts or not set(parts) <= set(PARTS):
        raise ValueError(f"parts are some of 1, 2 and 3, not {parts!r}")
    if jobs != JOBS and jobs not in range(1, PRACTICE + 1):
        raise ValueError(f"ask for {JOBS} jobs, or 1 or {PRACTICE}, not {jobs!r}")
    if jobs == JOBS and set(parts) != set(PARTS):
        raise ValueError(f"{JOBS} jobs are drawn from all three parts, not {parts!r}")


def _styles(
    rng: np.random.Generator, seed: int, parts: Collection[int], jobs: int
) -> list[str]:
    """Return a style for each job, no two alike; now and then a model is split."""
    known = {s for f in FAULTS if f.part in parts for s in f.styles} - {SPLIT}
    styles = [str(style) for style in rng.permutation(sorted(known))[:jobs]]
    loops = [k for k, style in enumerate(styles) if style in LOOPS]
    # drawn apart from the rest, which is the same with and without
    if (
        loops
        and 2 in parts
        and np.random.default_rng([seed, 10]).random() < SPLIT_SHARE
    ):
        styles[loops[0]] = SPLIT
    return styles


def _known(style: str, parts: Collection[int]) -> list[Fault]:
    return [f for f in FAULTS if style in f.styles and f.part in parts]


def _draw_faults(
    rng: np.random.Generator,
    known: Sequence[Fault],
    used: Collection[str],
    count: int,
) -> tuple[Fault, ...]:
    sets = [each for each in combinations(known, count) if go_together(each)]
    new = [each for each in sets if not used & {fault.notebook for fault in each}]
    choice = new or sets
    return choice[int(rng.integers(len(choice)))]


def _put_instead(
    seed: int, styles: Sequence[str], faults: dict[int, tuple[Fault, ...]]
) -> None:
    """Now and then put one of INSTEAD in the place of a job's only fault."""
    for fault in INSTEAD:
        slots, share, key = PLACES[fault.code]
        # drawn apart from the rest, which is the same with and without
        if np.random.default_rng([seed, key]).random() >= share:
            continue
        for place, style in enumerate(styles):
            own = faults[place]
            if len(own) == 1 and own[0].slot in slots and style in fault.styles:
                faults[place] = (fault,)
                break


def go_together(faults: Sequence[Fault]) -> bool:
    """Whether one job can have all these faults, and each of them shows."""
    codes = {fault.code for fault in faults}
    slots = {fault.slot for fault in faults}
    return (
        len(slots) == len(faults) == len({fault.notebook for fault in faults})
        and not any(pair <= codes for pair in HIDING)
        and not (slots & {"resume", "restore"} and slots & ANEW)
    )


def plan(
    rng: np.random.Generator,
    number: int,
    style: str,
    faults: tuple[Fault, ...],
    slow: bool = False,
) -> Plan:
    """Draw the rest of a job that has these faults."""
    slots = {fault.slot for fault in faults}
    thin, anew = "thin" in slots, slots & ANEW
    again = bool(slots & {"resume", "restore"})
    # these leave nothing out
    may_thin = style not in ("fit", SPLIT) and len(faults) < 2 and not rng.integers(4)
    return Plan(
        number,
        style,
        faults,
        thinned=thin or may_thin,
        resumed=again or (not anew and bool(rng.integers(2))),
        slow=slow,
        seed=int(rng.integers(2**31)),
    )
