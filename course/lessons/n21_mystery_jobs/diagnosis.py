"""The reference diagnosis: which notebooks name what a job did, from its record alone.

It asks what the course's probes ask, in their order, and never sees the code. Each
question needs some looks, and is asked only where they were bought.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from course.checks.exercises import TOLERANCE
from course.lessons.n21_mystery_jobs.job_record import JobRecord, Task, kept_rows
from course.lessons.n21_mystery_jobs.job_signs import (
    START,
    cells,
    fine,
    wanted,
)
from course.lessons.n21_mystery_jobs.looks import OF_COLUMN, RUNS
from course.runs.update_rules import summed_gradient
from course.runs.workloads import LEARNING_RATE

CLOSE = 1e-4  # of weights computed in float64 and in float32
Names = frozenset[str]
Given = list[Counter]  # for each step, how often each row is handed out


def diagnose(record: JobRecord, looks: Collection[str] = RUNS) -> Names:
    """Return the numbers of the notebooks whose failure the record shows.

    looks: the ones that are used; all by default.

    "?" is among them where the record shows something that no notebook names.
    """
    names = _numbers(record, looks)
    if "rows" in looks:
        handed_out, given = _handed_out(record)
        names |= set(handed_out) | _left_out(record, given)
        if not record.ended:
            # one is not in the last step: it had none; else one made a call more
            waits_alone = len(record.steps[-1].devices) < record.task.parts
            names.add("17" if waits_alone else "20")
    if "weights" in looks:
        names |= _start(record)
    if {"rows", "weights"} <= set(looks):
        names |= _update(record)
    return frozenset(names)


def _handed_out(record: JobRecord) -> tuple[Names, Given]:
    """Is each row used once? Find the way in which these rows are handed out."""
    used = [_used(record, step) for step in range(len(record.steps))]
    for names, given in _ways(record.task):
        if len(given) != len(used):
            continue
        pairs = zip(used, given, strict=True)
        # rows that are left out are another question
        if all(u <= g if record.task.thinned else u == g for u, g in pairs):
            return frozenset(names), given
    return frozenset("?"), used


def _used(record: JobRecord, step: int) -> Counter:
    return Counter(row for own in record.steps[step].rows for row in own)


def _ways(task: Task) -> list[tuple[tuple[str, ...], Given]]:
    """Return ways to hand out the rows, with the notebooks that name them."""
    n, size, every = task.parts, task.size, range(len(task.rows))
    steps = _batches(every, size)
    in_one_process = [
        ((), _times(1, steps)),
        (("01",), _times(1, [ids for ids in steps if len(ids) == size])),
        (("01",), _times(1, _batches(_repeated(every, size), size))),
    ]
    if task.kind == "stages":
        return in_one_process
    if task.kind == "replicas":
        return [
            *in_one_process,
            (("01",), _times(1, _batches(every[::n], size))),
            (("01",), _times(n, steps)),
            (("11",), _times(1, _batches(every, size * n))),
            # two at once
            (("01",), _times(n, _batches(every[::n], size))),
            (("01",), _times(n, _batches(_repeated(every, size), size))),
            (("01", "11"), _times(1, _batches(every[::n], size * n))),
            (("01", "11"), _times(1, _batches(_repeated(every, size), size * n))),
            (("01", "11"), _times(n, _batches(every, size * n))),
        ]
    halves = [ids[: size // n] for ids in steps]
    one_file = _batches(every[::n], size // n)
    unequal = [*steps[:-1], steps[-1][::n]]  # then all wait
    ways = []
    for names, first in (((), task.first), (("18",), 0)):
        ways += [
            (names, _times(1, steps[first:])),
            (names, _times(1, unequal[first:])),
            (("14", *names), _times(n, halves[first:])),
            (("14", *names), _times(n, steps[first:])),
            (("14", *names), _times(n, one_file[first:])),
        ]
    return ways


def _repeated(ids: Sequence[int], size: int) -> Sequence[int]:
    """The first batch twice."""
    return [*ids[:size], *ids]


def _batches(ids: Sequence[int], size: int) -> list[Sequence[int]]:
    return [ids[begin : begin + size] for begin in range(0, len(ids), size)]


def _times(copies: int, steps: Sequence[Sequence[int]]) -> Given:
    return [Counter({row: copies for row in ids}) for ids in steps]


def _left_out(record: JobRecord, given: Given) -> set[str]:
    """Are the rows that are left out those that one device leaves out?"""
    if not record.task.thinned:
        return set()
    kept = kept_rows(len(record.task.rows))
    for step, handed_out in enumerate(given):
        rows = Counter({row: n for row, n in handed_out.items() if kept[row]})
        if rows != _used(record, step):
            return {"04"}
    return set()


def _numbers(record: JobRecord, looks: Collection[str]) -> set[str]:
    """Do all devices work, does the host keep out of the way, and so on?"""
    names = set()
    for step, row in cells(record).items():
        expected = wanted(record, step)
        for column, value in row.items():
            known = column in NAMED and OF_COLUMN[column] in looks
            if known and not fine(column, value, expected[column]):
                names.add(NAMED[column])
    if record.task.kind == "workers":
        names.discard("07")  # who waits is another question
    return names


NAMED = {
    "working": "07",
    "pieces": "10",
    "python": "09",
    "reads": "09",
    "readers": "08",
    "kept": "12",
    "messages": "16",
}


def _start(record: JobRecord) -> set[str]:
    """Do all workers begin with the same weights, and with the right ones?"""
    if record.apart[START + 1] > TOLERANCE:
        return {"15"}
    return {"19"} if record.off[START + 1] > TOLERANCE else set()


def _update(record: JobRecord) -> set[str]:
    """From its weights before and the rows used, does each step make its weights?"""
    kind = record.task.kind
    if kind == "workers" and not record.ended and _met_the_next_step(record):
        return {"20"}
    rules = {"right": set()}
    if kind != "stages":
        rules["own"] = {"02"} if kind == "replicas" else {"13"}
    if kind == "replicas":
        rules |= {"sum of means": {"02"}, "mean of means": {"03"}, "by size": {"03"}}
        rules["clipped parts"] = {"06"}
    steps = range(len(record.copies) - 1)
    for late in (False, True) if kind == "replicas" else (False,):
        for rule, names in rules.items():
            if all(_follows(record, step, rule, late) for step in steps):
                return names | ({"05"} if late else set())
    return {"?"}


def _follows(record: JobRecord, step: int, rule: str, late: bool) -> bool:
    """Whether the weights after a step are what the rule makes of those before.

    late: of those before the last even step.
    """
    before, after = record.copies[step], record.copies[step + 1]
    at = record.copies[step - step % 2] if late else before
    if not np.isfinite(before).all():
        return True  # nothing can be told from here on
    sums, counts = _parts(record, step, at)
    with np.errstate(invalid="ignore"):
        means = sums / counts  # of no rows: NaN, as in TensorFlow
        long = np.linalg.norm(sums, axis=1, keepdims=True) / record.task.limit
        change = {
            "right": sums.sum(0) / counts.sum(),
            "own": means,
            "sum of means": means.sum(0),
            "mean of means": means.mean(0),
            "by size": sums.sum(0) / record.task.size,
            "clipped parts": (sums / np.maximum(long, 1)).sum(0) / counts.sum(),
        }[rule]
    return _close(after, before - LEARNING_RATE * change)


def _met_the_next_step(record: JobRecord) -> bool:
    """Whether from some step on a worker's sum is of that step and of the other's next.

    A call that worker 0 makes alone shifts all that it calls after it by one.
    """
    steps = range(len(record.copies) - 1)
    right = [_follows(record, step, "right", False) for step in steps]
    first = right.index(False) if False in right else len(steps)
    shifted = []
    for step in steps[first:]:
        sums, counts = _parts(record, step, record.copies[step])
        later, more = _parts(record, step + 1, record.copies[step + 1])
        change = (sums[0] + later[1]) / (counts[0] + more[1])
        made = record.copies[step][0] - LEARNING_RATE * change
        shifted.append(_close(record.copies[step + 1][0], made))
    return bool(shifted) and all(shifted)


def _parts(record: JobRecord, step: int, at: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return each part's gradient, summed over its rows, and how many rows it has."""
    rows = [record.task.rows.take(np.array(r, int)) for r in record.steps[step].rows]
    pairs = zip(at, rows, strict=True)
    sums = np.array([summed_gradient(w, own) for w, own in pairs])
    return sums, np.array([[len(own)] for own in rows], float)


def _close(made: np.ndarray, expected: np.ndarray) -> bool:
    return np.allclose(made, expected, rtol=CLOSE, atol=CLOSE, equal_nan=True)
