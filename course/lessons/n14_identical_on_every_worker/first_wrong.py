"""Locate: in which step do the workers together not read what one device reads?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import tensorflow as tf

from course.checks.findings import finding
from course.checks.places import Place
from course.lessons.n14_identical_on_every_worker import wrong_dataset
from course.lessons.n14_identical_on_every_worker.worker_input import Make, Reading
from course.lessons.n14_identical_on_every_worker.wrong_first_wrong import (
    MISTAKES,
    first_wrong,
)
from course.runs.workloads import regression


def _equal_to_one(context, rows, batch, seed) -> tf.data.Dataset:
    """Cut each worker's part out of the batch of one device."""
    many = context.num_input_pipelines
    own = -(-batch // many)
    start = own * context.input_pipeline_id
    rows = rows.shuffle(len(rows), seed=seed).batch(batch)
    return rows.map(lambda *parts: tuple(p[start : start + own] for p in parts))


def _one_lies_idle(context, rows, batch, seed) -> tf.data.Dataset:
    """The last worker ends after two steps."""
    data = _equal_to_one(context, rows, batch, seed)
    last = context.input_pipeline_id == context.num_input_pipelines - 1
    return data.take(2) if last else data


def _one_begins_again(context, rows, batch, seed) -> tf.data.Dataset:
    """The last worker reads its first batch once more at the end."""
    data = _equal_to_one(context, rows, batch, seed)
    last = context.input_pipeline_id == context.num_input_pipelines - 1
    return data.concatenate(data.take(1)) if last else data


@dataclass(frozen=True, eq=False)
class Input(Reading):
    """An input function, called for each of the workers of a Reading of one epoch."""

    make: Make = _equal_to_one

    def __str__(self) -> str:
        return (
            f"an input function, {len(self.rows)} rows, batch {self.batch}, "
            f"{self.workers} workers"
        )


def draw(rng: np.random.Generator) -> list[Input]:
    """Draw input functions that differ from one device in different ways, or not."""

    def given(make: Callable, rows: int, batch: int, workers: int = 2) -> Input:
        data = regression(rows, int(rng.integers(1000)))
        seed = int(rng.integers(1000))
        return Input(data, batch, seed, workers, epochs=1, make=make)

    return [
        given(wrong_dataset.not_sharded, 18, 6),
        given(_equal_to_one, 15 + int(rng.integers(3)), 6, 3),
        given(wrong_dataset.tail_lost, 17, 4),
        given(_one_lies_idle, 20, 6, 3),
        given(wrong_dataset.global_batch_unsharded, 16, 4),
        given(_one_begins_again, 16, 4),
    ]


@lru_cache(maxsize=64)  # one object a case, by which what is read is known again
def _rows(case: Input) -> tf.data.Dataset:
    return case.data


def _given(case: Input) -> tuple:
    tf.random.set_seed(None)  # another one would change what a seed of shuffle means
    return case.make, _rows(case), case.batch, case.seed, case.workers


MY_FIRST_WRONG = finding(
    "14/my_first_wrong",
    Place(("step", "row")),
    draw,
    given=_given,
    find=first_wrong,
    nothing="in each step the workers together read the rows of one device, each once.",
    wanted="the first step in which the workers together do not read the rows of one "
    "device, each once, and the smallest number of a row that is missing or too many.",
    mistakes=MISTAKES,
    usual={
        "nothing_found": "it finds nothing anywhere, as a comparison of the weights "
        "would.",
        "from_one": "steps and rows count from 0.",
        "swapped": "the step comes first, and then the row.",
    },
    right="Right for six input functions, one of them that of a sound job.",
)
