"""Further exercise: which draws of the workers of a job have numbers in common?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.failures import WrongReturn
from course.checks.findings import drawn_apart
from course.lessons.n04_changes_with_replica_count.wrong_repeats import MISTAKES, MOVES

Draws = set[tuple[int, int]]  # (step, worker)
HIGHEST = 2**32  # numbers are drawn from so many: two are hardly equal by chance


@dataclass(frozen=True)
class Job:
    """Workers with a generator each; worker w's is from_seed(seeds[w])."""

    seeds: tuple[int, ...]
    steps: int
    count: int

    def __str__(self) -> str:
        seeds = ", ".join(map(str, self.seeds))
        return f"the seeds {seeds}, {self.steps} steps and count {self.count}"


def draw(rng: np.random.Generator) -> list[Job]:
    """Draw seeds next to each other, as far apart as a call moves, and healthy ones."""

    def draw_once() -> list[Job]:
        a, b, c, d, e = (int(n) for n in rng.choice(np.arange(100, 900), 5, False))
        few, some, many = (int(rng.choice(n)) for n in ((1, 2, 3), (5, 6, 7), (9, 10)))
        call = MOVES * some
        return [
            Job((a, a + 1, a + 2, a + 3), 2, many),
            Job((b + 8, b, b + 1, b + 9), 2, some),
            Job((c, c + MOVES * few, c + 3 * MOVES * few), 3, few),
            Job((d, d + 50, d + call + 1, d + 90), 3, some),
            Job((e, e + MOVES, e + 2 * MOVES, e + 3), 3, some),
            Job((a, a + 40, a + 20, a + 3), 3, 12),
            Job((b, b + 2 * MOVES * many + 2), 4, many),
        ]

    def answers(drawn: Sequence[Job]) -> list[list[Draws]]:
        truth = [[] if not drawn else common(job) for job in drawn]
        known = [[f(j.seeds, j.steps, j.count) for j in drawn] for f in MISTAKES]
        return [truth, *known]

    return list(drawn_apart("04/my_repeats", draw_once, answers))


def common(job: Job) -> Draws:
    """Run the job; return the draws that have a number another draw has, too."""
    drawn = {}
    for worker, seed in enumerate(job.seeds):
        generator = tf.random.Generator.from_seed(seed)
        for step in range(job.steps):
            numbers = generator.uniform_full_int([job.count], tf.uint32).numpy()
            drawn[step, worker] = set(numbers.tolist())
    return {
        a for a in drawn for b in drawn if a != b and not drawn[a].isdisjoint(drawn[b])
    }


def _observe(function: Callable, job: Job) -> Observation:
    answer = function(list(job.seeds), job.steps, job.count)
    try:
        pairs = {(int(step), int(worker)) for step, worker in answer}
    except (TypeError, ValueError):
        raise WrongReturn.of(answer, "a set of pairs (step, worker)") from None
    return _observation(job, pairs)


def _observation(job: Job, pairs: Draws) -> Observation:
    found = np.zeros((job.steps, len(job.seeds)))
    inside = {p for p in pairs if p[0] in range(job.steps)} & {
        p for p in pairs if p[1] in range(len(job.seeds))
    }
    for pair in inside:
        found[pair] = 1
    return Observation(found, {"outside": (len(pairs - inside),)})


def _compare(job: Job, got: Observation, truth: Observation) -> Difference:
    outside = got.counts["outside"][0]
    missing = np.argwhere(truth.values > got.values).tolist()
    wrong = np.argwhere(got.values > truth.values).tolist()
    count = int(got.values.sum()) + outside
    came = f"It returned {count} pair{'' if count == 1 else 's'}."
    if outside:
        name = "names" if outside == 1 else "name"
        came += f" {outside} of them {name} a step or a worker that does not exist."
    for pairs, words in ((wrong, "has no number of another draw"), (missing, "has")):
        if pairs:
            step, worker = pairs[0]
            more = " one, and is missing" if words == "has" else ""
            came += f" The draw of worker {worker} in step {step} {words}{more}."
    return Difference(
        came,
        f"Expected: the {int(truth.values.sum())} draws, (step, worker), that have a "
        "number of another draw.",
    )


REPEATS = Exercise(
    name="04/my_repeats",
    cases=draw,
    observe=_observe,
    expect=lambda job: _observation(job, common(job)),
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="The draws that come again are those of the real generators: neighbouring "
    "seeds, and seeds as far apart as calls move.",
)
