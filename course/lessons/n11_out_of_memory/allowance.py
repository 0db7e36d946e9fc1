"""What a machine has, and what a process on it is allowed to use."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import psutil

MB = 2**20
CGROUP = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class Machine:
    """Figures as the usual calls and files give them.

    cpu_count: `os.cpu_count()`, the cores of the host.
    affinity: `len(os.sched_getaffinity(0))`, the cores this process may run on.
    cpu_max: the file cpu.max of a container, "quota period" in microseconds, such as
        "200000 100000" for 2 cores; "max 100000" without a limit.
    ram_mb: the host's memory in MB of 2**20 bytes.
    memory_max: the file memory.max of a container, in bytes; "max" without a limit.
    """

    cpu_count: int
    affinity: int
    cpu_max: str
    ram_mb: int
    memory_max: str


def this_machine(cgroup: Path = CGROUP) -> Machine:
    """Return the figures of the machine and container that this process runs in."""
    cores = os.cpu_count() or 1
    # only Linux lets a process ask for the cores it may run on
    own = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else cores
    return Machine(
        cores,
        own,
        _read(cgroup / "cpu.max", "max 100000"),
        psutil.virtual_memory().total // MB,
        _read(cgroup / "memory.max", "max"),
    )


def _read(file: Path, otherwise: str) -> str:
    try:
        return file.read_text().strip() or otherwise
    except OSError:
        return otherwise
