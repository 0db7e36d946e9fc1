"""Further: the weights of one device, from workers that share nothing."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from course.checks.exercises import (
    Data,
    Difference,
    Exercise,
    Observation,
    shown_by,
    wrong_answers,
)
from course.lessons.n14_identical_on_every_worker import wrong_dataset
from course.lessons.n14_identical_on_every_worker.readings import (
    Case,
    plain,
    reads_of,
    weighs,
)
from course.lessons.n14_identical_on_every_worker.worker_input import (
    Make,
    read_by_hand,
    sequential_batches,
)
from course.runs.workloads import regression


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw readings with an uneven last step, of two and three workers."""
    seeds = rng.integers(1000, size=4).tolist()
    more = 1 + int(rng.integers(4))
    return [
        Case(regression(24 + more, seeds[0]), 6, seeds[1], epochs=2),
        Case(regression(30 + more, seeds[2]), 12, seeds[3], workers=3, epochs=2),
    ]


def observe(make: Make, case: Case) -> Data:
    """Call the function for each worker, and read all epochs."""
    return plain(read_by_hand(make, case))


def read(case: Case, data: Data) -> Observation:
    """Say whether the weights are those of one device, and what each worker reads."""
    epochs, expected = reads_of(data, case), sequential_batches(case)
    equal = all(map(weighs, epochs, expected))
    own = [
        sum(len(step[worker][0]) for epoch in epochs for step in epoch)
        for worker in range(case.workers)
    ]
    steps = [len(epoch) for epoch in epochs]
    alike = all(
        sorted(step[worker][0]) == sorted(step[0][0])
        for epoch in epochs
        for step in epoch
        for worker in range(case.workers)
    )
    said = "is" if equal else "is not"
    return Observation(
        np.array([float(equal)]),
        {
            "rows read by each worker": tuple(own),
            "steps": tuple(steps),
            "the workers read the same rows in a step": (int(alike),),
        },
        told=f"The gradient of every step {said} that of one device, and in "
        f"{case.epochs} epochs the workers read {_listed(own)} rows.",
    )


def simulate(make: Make, case: Case) -> Observation:
    """Observe and read."""
    return read(case, observe(make, case))


def expect(case: Case) -> Observation:
    """The gradients of one device, while each worker reads everything."""
    return Observation(
        np.ones(1),
        {
            "rows read by each worker": (len(case.rows) * case.epochs,) * case.workers,
            "steps": (case.steps,) * case.epochs,
            "the workers read the same rows in a step": (1,),
        },
    )


def compare(case: Case, got: Observation, truth: Observation) -> Difference:
    """Say what came, and what a waste would be."""
    each = truth.counts["rows read by each worker"][0]
    return Difference(
        got.told,
        "Expected: in every step the gradient of one device, and still each worker "
        f"reads all rows: {each} in {case.epochs} epochs.",
    )


def _listed(numbers: list[int]) -> str:
    *some, last = map(str, numbers)
    return f"{', '.join(some)} and {last}"


Context, Dataset = tf.distribute.InputContext, tf.data.Dataset


def small_batches(context: Context, rows: Dataset, batch: int, seed: int) -> Dataset:
    """Every worker reads all rows, but in batches of its share of the global batch. A
    step then has too few different rows, and the weights show it.
    """
    return wrong_dataset.not_sharded(context, rows, batch, seed)


def shared(context: Context, rows: Dataset, batch: int, seed: int) -> Dataset:
    """The rows are shared out: each worker reads its part only, which is the right
    program. Each shall do all the work, and nobody shall see it in the weights.
    """
    rows = rows.shuffle(len(rows), seed=seed)
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))


def own_orders(context: Context, rows: Dataset, batch: int, seed: int) -> Dataset:
    """Every worker reads all rows, each in an order of its own. The mean over two
    different batches is not the gradient of one device.
    """
    return rows.shuffle(len(rows), seed=seed + context.input_pipeline_id).batch(batch)


def other_batches(context: Context, rows: Dataset, batch: int, seed: int) -> Dataset:
    """All workers read the same batches, which are not those of one device: another
    order.
    """
    return rows.batch(batch)


def one_reads(context: Context, rows: Dataset, batch: int, seed: int) -> Dataset:
    """One worker reads all rows and the others none: the weights are right, and nothing
    is computed twice. Asked for is that all of them do all the work.
    """
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.take(0 if context.input_pipeline_id else len(rows)).batch(batch)


MY_WASTE = Exercise(
    name="14/my_waste",
    cases=draw,
    observe=observe,
    read=read,
    expect=expect,
    compare=compare,
    mistakes=shown_by(
        simulate,
        *wrong_answers(__name__, draw, observe, read, simulate, expect, compare),
    ),
    right="The weights of one device after every step, and each worker did all the "
    "work. No curve of a loss can show that; the rows do.",
)
