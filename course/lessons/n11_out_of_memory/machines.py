"""Machines for the plan of workers, and what each allows."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from course.lessons.n11_out_of_memory.allowance import MB, Machine


@dataclass(frozen=True)
class Site:
    """A machine, and the MB that one worker needs."""

    label: str
    machine: Machine
    worker_mb: int

    def __str__(self) -> str:
        return f"{self.label}, {self.worker_mb} MB a worker"


def draw(rng: np.random.Generator) -> list[Site]:
    """Draw machines; on each something else decides, and on one nothing fits."""
    host = Machine(32, 32, "max 100000", 65_536, "max")

    def mb(low: int, high: int) -> int:
        return int(rng.integers(low, high))

    def limited(workers: int, worker_mb: int) -> str:
        # a little less than one more would need: with MB of 10**6 bytes it would fit
        return str((workers * worker_mb + worker_mb - worker_mb // 60) * MB)

    quota = int(rng.choice([350_000, 450_000, 550_000]))
    own = int(rng.choice([5, 7, 11]))
    a, b, c, d = mb(700, 900), mb(700, 900), mb(900, 1100), mb(1500, 1900)
    few = int(rng.integers(3, 5))
    return [
        Site("a host without limits", replace(host, ram_mb=4 * d + d // 2), d),
        Site("a process bound to some cores", replace(host, affinity=own), a),
        Site("a container with part of the cores", _quota(host, quota, 50_000), b),
        Site(
            "a container with part of the memory",
            replace(_quota(host, 1_000_000), memory_max=limited(few, c)),
            c,
        ),
        Site("a container with half a core", _quota(host, 50_000), a),
        Site(
            "a container that is smaller than a worker",
            replace(host, memory_max=str(d * 2 // 5 * MB)),
            d,
        ),
        Site(
            "a bound process in a container that may take more cores",
            replace(_quota(host, 1_600_000), affinity=own + 1),
            b,
        ),
        Site(
            "a container that may take more memory than there is",
            replace(host, ram_mb=few * c + c // 2, memory_max=limited(2 * few, c)),
            c,
        ),
    ]


def _quota(host: Machine, quota: int, period: int = 100_000) -> Machine:
    """Return the host with a limit of `quota` microseconds in 100,000."""
    return replace(host, cpu_max=f"{quota * period // 100_000} {period}")


def core_time(machine: Machine) -> float:
    """Return the cores that a container's quota is worth, infinite without one."""
    quota, period = machine.cpu_max.split()
    return math.inf if quota == "max" else int(quota) / int(period)


def memory_limit(machine: Machine) -> float:
    """Return a container's limit in MB, infinite without one."""
    limit = machine.memory_max
    return math.inf if limit == "max" else int(limit) / MB


def allowed_cores(machine: Machine) -> int:
    """Return how many whole cores a process may use; less than one counts as one."""
    return max(1, int(min(machine.affinity, core_time(machine))))


def allowed_memory(machine: Machine) -> int:
    """Return how many whole MB a process may use."""
    return int(min(machine.ram_mb, memory_limit(machine)))


def shared_out(cores: int, memory: float, worker_mb: int) -> tuple[int, int]:
    """Return (workers, threads) for these cores and MB; (0, 0) where none fits."""
    workers = int(min(cores, memory // worker_mb))
    return (workers, cores // workers) if workers else (0, 0)


def plan(machine: Machine, worker_mb: int) -> tuple[int, int]:
    """Return how many workers, with how many threads each, are allowed."""
    return shared_out(allowed_cores(machine), allowed_memory(machine), worker_mb)
