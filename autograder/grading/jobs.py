"""What goes to a worker and what comes back, and both as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from autograder.grading.limits import Limits


@dataclass(frozen=True)
class Job:
    """What is executed: the text of a prepared notebook, and how.

    exercises: of the notebook, such as "02/my_step".
    seed: the cases of all checks are drawn from it.
    """

    text: str
    exercises: tuple[str, ...]
    seed: int
    limits: Limits


@dataclass(frozen=True)
class Executed:
    """What came of it: the notebook's text with outputs, and what to know about it.

    reasons: why cells did not run to their end, for the student.
    flags: what a person should look at.
    seconds: of the cells alone.
    memory_guard: what limited its memory: a key of autograder.memory_guards.
    """

    text: str
    reasons: tuple[str, ...]
    flags: tuple[str, ...]
    seconds: float
    memory_guard: str


def to_json(job: Job | Executed) -> str:
    """A job for a worker, or a result from one."""
    return json.dumps(asdict(job))


def job_from_json(text: str) -> Job:
    """The job that was sent."""
    data = json.loads(text)
    data["limits"] = Limits(**data["limits"])
    data["exercises"] = tuple(data["exercises"])
    return Job(**data)


def from_json(text: str) -> Executed:
    """What a worker returned; ValueError where it is anything else."""
    data = json.loads(text)
    wanted = {
        **{"text": str, "reasons": list, "flags": list},
        **{"seconds": float, "memory_guard": str},
    }
    if not isinstance(data, dict) or set(data) != set(wanted):
        raise ValueError("a worker returned something else than a result")
    for name, kind in wanted.items():
        if not isinstance(data[name], kind):
            raise ValueError(f"a worker returned no {kind.__name__} as {name}")
    return Executed(
        data["text"],
        tuple(map(str, data["reasons"])),
        tuple(map(str, data["flags"])),
        data["seconds"],
        data["memory_guard"],
    )
