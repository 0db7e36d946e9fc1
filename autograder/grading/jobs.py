"""What goes to a worker and what comes back, and both as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from autograder.grading.limits import Limits


@dataclass(frozen=True)
class Job:
    """What is executed: the text of a prepared notebook, and how.

    trials: what its checks try out, as `course.checks.handing_over.pack` wrote it.
    names: module and name of what the trials refer to.
    left_out: numbers of the code cells that are not run.
    """

    text: str
    trials: str
    names: tuple[tuple[str, str], ...]
    limits: Limits
    left_out: tuple[int, ...] = ()


@dataclass(frozen=True)
class Executed:
    """What came of it: the notebook's text with outputs, and what to know about it.

    reasons: why cells did not run to their end, for the student.
    flags: what of it was cut.
    suspicions: what a person should look at.
    seconds: of the cells alone.
    observed: number of a check's cell -> what it observed, an npz file as base64.
    memory_guard: what limited its memory: a key of autograder.memory_guards.
    """

    text: str
    reasons: tuple[str, ...]
    flags: tuple[str, ...]
    seconds: float
    observed: Mapping[int, str]
    memory_guard: str
    suspicions: tuple[str, ...] = ()


def to_json(job: Job | Executed) -> str:
    """A job for a worker, or a result from one."""
    return json.dumps(asdict(job))


def job_from_json(text: str) -> Job:
    """The job that was sent."""
    data = json.loads(text)
    data["limits"] = Limits(**data["limits"])
    data["names"] = tuple(map(tuple, data["names"]))
    data["left_out"] = tuple(data["left_out"])
    return Job(**data)


def from_json(text: str) -> Executed:
    """What a worker returned; ValueError where it is anything else."""
    data = json.loads(text)
    wanted = {
        **{"text": str, "reasons": list, "flags": list},
        **{"seconds": float, "observed": dict, "memory_guard": str},
        "suspicions": list,
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
        {int(place): str(npz) for place, npz in data["observed"].items()},
        data["memory_guard"],
        tuple(map(str, data["suspicions"])),
    )
