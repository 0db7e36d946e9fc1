"""The first sign that a job does not do what one device does."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import TOLERANCE
from course.lessons.n19_mystery_jobs.job_record import JobRecord

COLUMNS = ("rows", "working", "python", "reads", "apart", "off")


@dataclass(frozen=True)
class Sign:
    """A number that is not what it should be.

    step: from 1; 0 is the start.
    column: one of COLUMNS.
    value: the number, and `wanted` what it should be.
    """

    step: int
    column: str
    value: float
    wanted: float


def cells(record: JobRecord) -> list[dict[str, float]]:
    """Return for the start and each step what was seen: column -> number.

    rows: how many rows were used otherwise than on one device.
    working: devices, or workers, that worked.
    python: how often Python ran through the code of a replica, per replica.
    reads: how often the host waited for a value.
    apart: the largest difference between two copies of the weights.
    off: the largest difference of a copy from the weights of one device.
    """
    table = []
    for k in range(len(record.steps) + 1):
        row: dict[str, float] = {}
        if k:
            seen = record.steps[k - 1]
            row["rows"] = record.otherwise(k - 1)
            row["working"] = len(seen.devices)
            row["python"] = math.ceil(seen.python / record.task.parts)
            row["reads"] = seen.reads
        if k < len(record.copies):
            row["apart"] = float(record.apart[k])
        if k < len(record.off):
            row["off"] = float(record.off[k])
        table.append(row)
    return table


def wanted(record: JobRecord, step: int) -> dict[str, float]:
    """Return what the cells of a step should be, `apart` and `off` within 1e-5."""
    row = dict.fromkeys(COLUMNS, 0.0)
    if step:
        task, seen = record.task, record.steps[step - 1]
        # a graph for the first batch, and one for the last, which is smaller
        row["python"] = float(step in (1, len(record.steps)))
        # TensorFlow gives some replicas no rows; workers are in every step
        at_work = sum(map(bool, seen.rows)) if task.kind == "replicas" else task.parts
        row["working"] = float(at_work)
    return row


def first_sign(record: JobRecord) -> Sign | None:
    """Return the first sign, in the earliest step and there the leftmost column.

    A step that one device makes and the job does not is one in which no row was used.
    """
    table = cells(record)
    for step, row in enumerate(table):
        expected = wanted(record, step)
        for column, value in row.items():
            if not _fine(column, value, expected[column]):
                return Sign(step, column, value, expected[column])
    made, batches = len(record.steps), record.task.batches
    if made < len(batches):
        return Sign(made + 1, "rows", len(batches[made]), 0.0)
    return None


def _fine(column: str, value: float, expected: float) -> bool:
    if column == "python":  # a step that needs no new graph is fine, too
        return value <= expected
    if column in ("apart", "off"):
        return bool(np.isfinite(value)) and value <= TOLERANCE
    return value == expected
