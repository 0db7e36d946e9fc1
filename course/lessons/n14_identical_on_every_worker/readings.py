"""What must hold of the rows that workers read, and how it is found out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np

from course.checks.exercises import TOLERANCE, Data, Difference, Observation
from course.lessons.n14_identical_on_every_worker.worker_input import (
    Make,
    Reading,
    Reads,
    read_by_hand,
    sequential_batches,
)
from course.lessons.n14_identical_on_every_worker.worker_training import train_reading
from course.runs.sequential import train_on_batches
from course.runs.workloads import Rows, regression

# what is compared, in this order; 1.0 where it holds in every epoch
HOLDS = (
    "ends",  # the dataset has an end
    "all",  # each row is read
    "once",  # no row is read twice
    "apart",  # no two workers read the same rows in every step
    "even",  # workers read about as many rows as each other
    "mixed",  # a worker reads other rows in another epoch
    "shuffled",  # the rows come not as they stand in the data
    "reshuffled",  # and in another order in another epoch
    "order",  # each worker reads its rows in the sequential run's order
    "truth",  # each step has the rows of the sequential batch
    "weights",  # each worker's weights are those of the sequential run
)


@dataclass(frozen=True, eq=False)
class Case(Reading):
    """One reading, in real workers or by hand.

    real: in two real workers that train; else the function is called with the
        contexts that workers would have.
    """

    real: bool = False

    def __str__(self) -> str:
        how = "real workers" if self.real else "workers' contexts"
        many = f", {self.replicas} replicas each" if self.replicas > 1 else ""
        return (
            f"{len(self.rows)} rows, batch {self.batch}, {self.workers} {how}{many}, "
            f"{self.epochs} epochs"
        )


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw numbers of rows that leave an uneven last step; the real run comes first."""
    seeds = rng.integers(1000, size=6).tolist()

    def rows(least: int, more: int, seed: int) -> Rows:
        return regression(least + int(rng.integers(1, more)), seed)

    return [
        Case(rows(40, 8, seeds[0]), 8, seeds[1], real=True),
        Case(rows(48, 6, seeds[2]), 12, seeds[3], workers=3),
        Case(rows(40, 8, seeds[4]), 8, seeds[5], replicas=2),
    ]


def observe(make: Make, case: Case) -> Data:
    """Read with a learner's function, in real workers where the case says so.

    Returns "reads", int64, (readings, 5): epoch, step, worker, replica and row of each;
    "steps" of each epoch; and "weights" of real workers at the end, (workers, 2).
    """
    by_hand = read_by_hand(make, case)  # what fails at once needs no processes
    if not case.real:
        return plain(by_hand)
    run = train_reading(make, case, "yours")
    reads = [
        [[[list(ids)] for ids in step] for step in epoch] for epoch in run.epochs()
    ]
    return {**plain(reads), "weights": run.recording.copies[-1]}


def read(case: Case, data: Data) -> Observation:
    """Compare what was read, and the weights, with the sequential run."""
    reads, expected = reads_of(data, case), sequential_batches(case)
    if "weights" not in data:
        return judged(reads, case, expected)
    batches = [case.rows.take(ids) for epoch in expected for ids in epoch]
    final, truth = data["weights"], train_on_batches(batches).copies[-1, 0]
    off = float(np.abs(final - truth).max())
    apart = float(np.abs(np.diff(final, axis=0)).max())
    words = f" After the last epoch, |w0 - w1| is {apart:.2g}"
    words += f" and |w - sequential| is {off:.2g}."
    return judged(reads, case, expected, off <= TOLERANCE, words)


def simulate(make: Make, case: Case) -> Observation:
    """Read by hand only; the weights are as right as the rows of the steps are."""
    return judged(read_by_hand(make, case), case, sequential_batches(case))


def plain(reads: Reads) -> Data:
    """Write down what was read as two arrays."""
    rows = [
        (e, k, w, r, row)
        for e, epoch in enumerate(reads)
        for k, step in enumerate(epoch)
        for w, replicas in enumerate(step)
        for r, ids in enumerate(replicas)
        for row in ids
    ]
    return {
        "reads": np.array(rows, np.int64).reshape(-1, 5),
        "steps": np.array([len(epoch) for epoch in reads], np.int64),
    }


def reads_of(data: Data, case: Case) -> Reads:
    """Return what `plain` wrote down."""
    reads: Reads = [
        [
            [[[] for _ in range(case.replicas)] for _ in range(case.workers)]
            for _ in range(steps)
        ]
        for steps in data["steps"].tolist()
    ]
    for e, k, w, r, row in data["reads"].tolist():
        reads[e][k][w][r].append(row)
    return reads


def judged(
    reads: Reads,
    case: Case,
    expected: list,
    weights: bool | None = None,
    words: str = "",
) -> Observation:
    """Return which of HOLDS do hold; `weights` None: as the rows of the steps say."""
    n, steps = len(case.rows), [len(epoch) for epoch in reads]
    flat = [_of_workers(epoch, case.workers) for epoch in reads]
    counts = [np.bincount([*chain(*own)], minlength=n) for own in flat]
    positions = [
        {row: at for at, row in enumerate(chain(*epoch))} for epoch in expected
    ]
    holds = {
        "ends": max(steps) < case.most_steps,
        "all": all(c.min() > 0 for c in counts),
        "once": all(c.max() <= 1 for c in counts),
        "apart": not all(_same(epoch) for epoch in reads),
        "even": all(_even(own, case) for own in flat),
        "mixed": all(
            set(first[w]) != set(second[w])
            for first, second in pairwise(flat)
            for w in range(case.workers)
        ),
        "shuffled": not all(_rises(own) for epoch in flat for own in epoch),
        "reshuffled": all(
            first[w] != second[w]
            for first, second in pairwise(flat)
            for w in range(case.workers)
        ),
        "order": all(
            _rises([at[row] for row in own])
            for at, epoch in zip(positions, flat, strict=True)
            for own in epoch
        ),
        "truth": all(map(_like, reads, expected)),
    }
    known = all(map(weighs, reads, expected)) if weights is None else weights
    holds["weights"] = known
    largest = [0] * case.workers
    for step in chain(*reads):
        for w, replicas in enumerate(step):
            largest[w] = max(largest[w], *map(len, replicas))
    return Observation(
        np.array([float(holds[name]) for name in HOLDS]),
        {"steps": tuple(steps), "largest batch": tuple(largest)},
        told=_told(counts, case, steps, largest) + words,
    )


def expect(case: Case) -> Observation:
    """Everything holds, with the steps and the batches of the sequential run."""
    return Observation(
        np.ones(len(HOLDS)),
        {
            "steps": (case.steps,) * case.epochs,
            "largest batch": (case.batch // (case.workers * case.replicas),)
            * case.workers,
        },
    )


def compare(case: Case, got: Observation, truth: Observation) -> Difference:
    """Say how often rows were read, and what the steps were."""
    share = truth.counts["largest batch"][0]
    return Difference(
        got.told,
        f"Expected: each of the {len(case.rows)} rows once an epoch, in {case.steps} "
        f"steps, {share} rows for a replica, and in each step the rows that the "
        "sequential run has in its batch.",
    )


def _of_workers(epoch: list, workers: int) -> list[list[int]]:
    """Each worker's rows in one epoch, in order."""
    return [[*chain(*(chain(*step[w]) for step in epoch))] for w in range(workers)]


def _same(epoch: list) -> bool:
    return all(all(own == step[0] for own in step) for step in epoch)


def _even(own: list[list[int]], case: Case) -> bool:
    sizes = [len(rows) for rows in own]
    return max(sizes) - min(sizes) <= case.batch


def _rises(numbers: list[int]) -> bool:
    return all(a < b for a, b in pairwise(numbers))


def _like(epoch: list, expected: list[list[int]]) -> bool:
    came = [sorted(chain(*(chain(*worker) for worker in step))) for step in epoch]
    return came == [sorted(batch) for batch in expected]


def weighs(epoch: list, expected: list[list[int]]) -> bool:
    """Whether each step has the sequential batch, each row of it equally often."""
    came = [Counter(chain(*(chain(*worker) for worker in step))) for step in epoch]
    return [set(step) for step in came] == [set(batch) for batch in expected] and all(
        len(set(step.values())) == 1 for step in came
    )


def _told(counts: list, case: Case, steps: list[int], largest: list[int]) -> str:
    first, n = counts[0], len(case.rows)
    often, never = int((first > 1).sum()), int((first == 0).sum())
    said = f"In epoch 1, {often} of {n} rows were read more than once"
    return (
        f"{said} and {never} never, in {steps[0]} steps; the largest batch of a "
        f"replica had {max(largest)} rows."
    )
