"""What one can look at, and what each look costs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """One kind of look at a job.

    cost: in coins.
    shows: a sentence for who thinks about buying it.
    columns: of the table, those that it opens.
    workers, replicas, stages: whether it tells something about them.
    """

    cost: int
    shows: str
    columns: tuple[str, ...] = ()
    replicas: bool = True
    workers: bool = True
    stages: bool = True


LOOKS = {
    "rows": Look(
        2, "which replica, or worker, used which rows in which step", ("rows",)
    ),
    "weights": Look(
        2,
        "the distance between copies of the weights, and from one device",
        ("apart", "off"),
    ),
    "devices": Look(2, "which devices, or workers, worked in each step", ("working",)),
    "stages": Look(
        2,
        "in how many pieces each batch goes through the stages of a model",
        ("pieces",),
        replicas=False,
        workers=False,
    ),
    "host": Look(
        2,
        "how often Python ran through a replica's code, and the host waited",
        ("python", "reads"),
        workers=False,
    ),
    "input": Look(1, "how many rows were decoded at once", ("readers",), workers=False),
    "memory": Look(
        1, "how many batches are in memory after each step", ("kept",), workers=False
    ),
    "messages": Look(
        1, "how often something is sent in a step", ("messages",), stages=False
    ),
    # who reads everything pays most: at work, that takes longest
    "folder": Look(5, "the files beside the job: settings, rows, checkpoint"),
    "environment": Look(4, "the variables that its processes find"),
}
FAILED = 2  # coins for a repair that is WRONG: its check tells something
RUNS = tuple(name for name, look in LOOKS.items() if look.columns)
OF_COLUMN = {c: name for name, look in LOOKS.items() for c in look.columns}


def offered(kind: str) -> tuple[str, ...]:
    """Return the looks that tell something about "replicas", "workers" or "stages"."""
    return tuple(name for name, look in LOOKS.items() if getattr(look, kind))
