"""The looks at a job, and what each of them costs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """One kind of look at a job.

    cost: in coins.
    shows: what a learner reads before buying it.
    columns: of the table, those that it opens.
    workers, replicas, stages: whether it tells something about such jobs.
    """

    cost: int
    shows: str
    columns: tuple[str, ...] = ()
    replicas: bool = True
    workers: bool = True
    stages: bool = True


LOOKS = {
    "rows": Look(2, "which rows each replica or worker used in each step", ("rows",)),
    "weights": Look(
        2,
        "how far the copies of the weights are apart, and how far from one device's",
        ("apart", "off"),
    ),
    "devices": Look(2, "which devices or workers worked in each step", ("working",)),
    "stages": Look(
        2,
        "in how many pieces each batch goes through the stages of a model",
        ("pieces",),
        replicas=False,
        workers=False,
    ),
    "host": Look(
        2,
        "how often Python ran a replica's code, and how often the host waited",
        ("python", "reads"),
        workers=False,
    ),
    "input": Look(1, "how many rows were decoded at once", ("readers",), workers=False),
    "memory": Look(
        1, "how many batches are in memory after each step", ("kept",), workers=False
    ),
    "messages": Look(
        1,
        "how often a replica or worker sends something in a step",
        ("messages",),
        stages=False,
    ),
    # reading everything costs most: at work, it takes longest
    "folder": Look(5, "the files beside the job: settings, rows, checkpoint"),
    "environment": Look(4, "the variables that its processes find"),
}
FAILED = 2  # coins for a repair that ran and is not RIGHT: its check tells something
AGAIN = 2  # coins for each name after the first
MISPLACED = 1  # coin for a wrong place
RUNS = tuple(name for name, look in LOOKS.items() if look.columns)
OF_COLUMN = {c: name for name, look in LOOKS.items() for c in look.columns}


def coins(count: int) -> str:
    """Return an amount in words, such as "1 coin"."""
    return f"{count} coin{'s' * (count != 1)}"


def offered(kind: str) -> tuple[str, ...]:
    """Return the looks that tell something about "replicas", "workers" or "stages"."""
    return tuple(name for name, look in LOOKS.items() if getattr(look, kind))
