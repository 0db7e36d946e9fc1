"""What this notebook draws: each look at a job, without a title."""

import numpy as np
import pytest
from picture_rules import picture_tests

from course.lessons.n21_mystery_jobs.job_record import JobRecord, StepSeen, Task
from course.lessons.n21_mystery_jobs.job_views import view
from course.lessons.n21_mystery_jobs.looks import RUNS
from course.runs.workloads import regression

pytestmark = pytest.mark.usefixtures("devices")  # before TensorFlow starts


def job_record(steps, parts, copies=1, weight=0.0, ended=True):
    """A job of so many steps of 2 rows a part; each row used `copies` times."""
    task = Task(regression(2 * parts * steps - 1), 2 * parts, parts)
    seen = []
    for batch in task.batches:
        shares = [tuple(shard.ids.tolist()) for shard in batch.shards(parts)]
        rows = tuple(shares if copies == 1 else [sum(shares, ())] * parts)
        seen.append(StepSeen(rows, tuple(f"CPU:{r}" for r in range(parts)), 0, 0))
    weights = np.repeat(task.weights[:, None], parts, 1)
    weights[-2:, 0] += weight
    return JobRecord(task, seen, weights if ended else weights[:-1], ended)


def split_record(pieces=2):
    """Five steps of a model in two stages."""
    task = Task(regression(39), 8, 2, "stages")
    seen = [
        StepSeen((tuple(b.ids.tolist()),), ("CPU:0", "CPU:1"), 0, 0, pieces=pieces)
        for b in task.batches
    ]
    return JobRecord(task, seen, task.weights[:, None])


PICTURES = {
    f"{look} of a healthy job": lambda look=look: view(
        split_record() if look == "stages" else job_record(6, 4), look
    )
    for look in RUNS
} | {
    "rows of a split model": lambda: view(split_record(), "rows"),
    "a split model whose stages wait": lambda: view(split_record(pieces=1), "stages"),
    "rows read twice": lambda: view(job_record(9, 4, copies=4), "rows"),
    "a job that hangs": lambda: view(job_record(7, 2, ended=False), "devices"),
    "a job that ends in NaN": lambda: view(job_record(9, 3, weight=np.nan), "weights"),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_a_look_tells_what_was_bought_and_no_more():
    record = job_record(3, 2)
    assert view(record, "host").header == ("step", "python", "reads")
    assert view(record, "rows").header == ("step", "rows")
    assert [row[0] for row in view(record, "rows").rows] == ["start", "0", "1", "2"]
