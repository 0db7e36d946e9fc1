"""Whether this machine is large enough for the day, before anybody comes."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import psutil

GB = 2**30
# measured with learners driven by script: the README's table
MACHINE_MEMORY, LEARNER_MEMORY = 2 * GB, GB // 4
MACHINE_DISK, LEARNER_DISK = GB, GB // 10  # logs; notebooks, submissions, checkpoints
LEARNERS_A_CORE = 30  # 60 on two cores had a check wait 33 s at worst


@dataclass(frozen=True)
class Machine:
    """What is there: bytes of memory and of free disk, and cores."""

    memory: int
    disk: int
    cores: int


def machine(folder: Path) -> Machine:
    """Look at this machine; `folder` is where learners' files will be."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    memory = psutil.virtual_memory().total
    return Machine(memory, shutil.disk_usage(there).free, psutil.cpu_count() or 1)


def missing(learners: int, there: Machine) -> list[str]:
    """Return a sentence for all that is too small for so many learners."""
    needs = {
        "memory": (MACHINE_MEMORY + learners * LEARNER_MEMORY, there.memory),
        "free disk": (MACHINE_DISK + learners * LEARNER_DISK, there.disk),
    }
    said = [
        f"{ceil(needed / GB)} GB of {what} ({has / GB:.0f} are here)"
        for what, (needed, has) in needs.items()
        if needed > has
    ]
    cores = ceil(learners / LEARNERS_A_CORE)
    if cores > there.cores:
        said.append(f"{cores} cores ({there.cores} are here)")
    return said


def most_learners(there: Machine) -> int:
    """Return how many fit."""
    return max(
        0,
        min(
            (there.memory - MACHINE_MEMORY) // LEARNER_MEMORY,
            (there.disk - MACHINE_DISK) // LEARNER_DISK,
            there.cores * LEARNERS_A_CORE,
        ),
    )
