"""The first sign that a job does not do what one device does."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import TOLERANCE
from course.lessons.n21_mystery_jobs.job_record import JobRecord

START = -1  # the row of the table before step 0
COLUMNS = (
    "rows",
    "working",
    "pieces",
    "python",
    "reads",
    "readers",
    "kept",
    "messages",
    "apart",
    "off",
)
AT_MOST = {"python", "reads", "kept", "messages"}  # less is fine, too
AT_LEAST = {"readers", "pieces"}


@dataclass(frozen=True)
class Sign:
    """A number that is not what it should be.

    step: from 0; START before it.
    column: one of COLUMNS.
    value: the number, and `wanted` what it should be.
    """

    step: int
    column: str
    value: float
    wanted: float


def step_name(step: int) -> str:
    """Return what stands before a row of the table."""
    return "start" if step == START else str(step)


def cells(record: JobRecord) -> dict[int, dict[str, float]]:
    """Return for START and each step what was seen: column -> number.

    rows: how many rows were used differently than on one device.
    working: devices, or workers, that worked.
    pieces: in how many pieces the batch went through the stages.
    python: how often Python ran through the code of a replica, per replica (of stages:
        per piece).
    reads: how often the host waited for a value.
    readers: rows decoded at once, the most of the run; kept: batches in memory.
    messages: how often a replica, or worker, sent something to the others.
    apart: the largest difference between two copies of the weights.
    off: the largest difference of a copy from the weights of one device.
    """
    table: dict[int, dict[str, float]] = {}
    kind = record.task.kind
    for step in range(START, len(record.steps)):
        row: dict[str, float] = {}
        if step > START:
            seen = record.steps[step]
            row["rows"] = record.otherwise(step)
            row["working"] = len(seen.devices)
            if kind == "stages":
                row["pieces"] = seen.pieces
            if kind != "workers":
                each = max(seen.pieces, 1) if kind == "stages" else record.task.parts
                row["python"] = math.ceil(seen.python / each)
                row |= {"reads": seen.reads, "readers": seen.readers, "kept": seen.kept}
            if kind != "stages":
                row["messages"] = seen.messages
        if step + 1 < len(record.copies):
            row["apart"] = float(record.apart[step + 1])
        if step + 1 < len(record.off):
            row["off"] = float(record.off[step + 1])
        table[step] = row
    return table


def wanted(record: JobRecord, step: int) -> dict[str, float]:
    """Return what the cells of a step should be, `apart` and `off` within 1e-5."""
    row = dict.fromkeys(COLUMNS, 0.0)
    if step > START:
        task, seen = record.task, record.steps[step]
        # a graph for the first batch, and one for the last, which is smaller
        row["python"] = float(step in (0, len(record.steps) - 1))
        # TensorFlow gives some replicas no rows; workers and stages are in every step
        at_work = sum(map(bool, seen.rows)) if task.kind == "replicas" else task.parts
        row["working"] = float(at_work)
        row |= {"readers": 2.0, "kept": 2.0, "messages": 3.0, "pieces": 2.0}
    return row


def first_sign(record: JobRecord) -> Sign | None:
    """Return the first sign, in the earliest step and there the leftmost column.

    A step that one device makes and the job does not is one in which no row was used.
    """
    for step, row in cells(record).items():
        expected = wanted(record, step)
        for column, value in row.items():
            if not fine(column, value, expected[column]):
                return Sign(step, column, value, expected[column])
    made, batches = len(record.steps), record.task.batches
    if made < len(batches):
        return Sign(made, "rows", len(batches[made]), 0.0)
    return None


def alike(first: JobRecord, other: JobRecord) -> bool:
    """Whether two runs of a task gave the same: weights, rows used, and signs.

    Numbers that are both healthy count as the same.
    """
    if (first.ended, first.copies.shape) != (other.ended, other.copies.shape):
        return False
    if not np.allclose(
        first.copies, other.copies, TOLERANCE, TOLERANCE, equal_nan=True
    ):
        return False
    tables = cells(first), cells(other)
    if tables[0].keys() != tables[1].keys():
        return False
    return all(
        _used(first, step) == _used(other, step)
        and all(
            value == tables[1][step][column]
            or (
                fine(column, value, wanted(first, step)[column])
                and fine(column, tables[1][step][column], wanted(other, step)[column])
            )
            for column, value in row.items()
            if column not in ("apart", "off")  # as the weights are
        )
        for step, row in tables[0].items()
    )


def _used(record: JobRecord, step: int) -> Counter[int]:
    if step == START:
        return Counter()
    return Counter(row for own in record.steps[step].rows for row in own)


def fine(column: str, value: float, expected: float) -> bool:
    """Whether a number is what it should be."""
    if column in AT_MOST:
        return value <= expected
    if column in AT_LEAST:
        return value >= expected
    if column in ("apart", "off"):
        return bool(np.isfinite(value)) and value <= TOLERANCE
    return value == expected
