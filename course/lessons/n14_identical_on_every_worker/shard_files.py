"""Further exercise: how many records of a file are good, and where the first is not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.failures import WrongReturn
from course.lessons.n14_identical_on_every_worker.record_files import (
    FRAME,
    HEADER,
    Shard,
)
from course.lessons.n14_identical_on_every_worker.wrong_validate_shard import MISTAKES

KINDS = ("data", "none", "cut in header", "length", "cut in data", "checksum", "empty")


def draw(rng: np.random.Generator) -> list[Shard]:
    """Draw one file for each kind of damage, a healthy one and an empty one."""
    shards = []
    for kind in KINDS:
        count = 0 if kind == "empty" else int(rng.integers(12, 20))
        sizes = tuple(int(s) for s in rng.integers(20, 60, count))
        if kind in ("none", "empty"):
            shards.append(Shard(sizes))
            continue
        # one file is bad from its first record on
        record = 0 if kind == "length" else int(rng.integers(3, 10))
        size = sizes[record]
        low, high = {
            "length": (0, 8),
            "checksum": (HEADER + size, FRAME + size),
            "data": (HEADER, HEADER + size),
            "cut in header": (1, HEADER),
            "cut in data": (HEADER + 1, HEADER + size),
        }[kind]
        shards.append(Shard(sizes, kind, record, int(rng.integers(low, high))))
    return shards


def observe(function: Callable, shard: Shard) -> Observation:
    """Give the function the path of a file."""
    with shard.file() as path:
        return recorded(function(path))


def recorded(answer: object) -> Observation:
    """Turn (records, byte or None) into numbers; None becomes -1.

    Raises:
        WrongReturn: it is something else.
    """
    wanted = "(records, byte), two whole numbers, or None as the second"
    try:
        records, byte = answer
        numbers = [float(records), -1.0 if byte is None else float(byte)]
    except (TypeError, ValueError):
        numbers = [0.5]
    if any(n != n // 1 for n in numbers):
        raise WrongReturn.of(answer, wanted)
    return Observation(np.array(numbers))


def _expect(shard: Shard) -> Observation:
    """Return how many records are before the damage, and the byte where it begins."""
    if shard.damage == "none":
        return recorded((len(shard.sizes), None))
    return recorded((shard.record, shard.start(shard.record)))


def compare(shard: Shard, got: Observation, truth: Observation) -> Difference:
    """Say both numbers, and which of them is wrong."""
    return Difference(
        f"It returned {_said(got)}.",
        f"Expected {_said(truth)}: the good records before the first bad one, and the "
        "byte at which that one begins (None: there is none).",
    )


def _said(found: Observation) -> str:
    records, byte = found.values
    return f"({records:.0f}, {'None' if byte < 0 else f'{byte:.0f}'})"


MY_VALIDATE_SHARD = Exercise(
    name="14/my_validate_shard",
    cases=draw,
    observe=observe,
    expect=_expect,
    compare=compare,
    mistakes=shown_by(observe, *MISTAKES),
    right="Right on seven files: sound, empty, a bit turned in three, cut in two.",
)
