"""Answers to 11/my_plan, right and wrong, and what the check says of each."""

import math

from autograder.answers import changed, crashed, right, wrong


@right
def plan_float(machine, worker_mb):
    """With fractions, and infinity where there is no limit."""
    quota, period = machine.cpu_max.split()
    share = math.inf if quota == "max" else float(quota) / float(period)
    cores = max(1, math.floor(min(machine.affinity, share)))
    limit = math.inf if machine.memory_max == "max" else float(machine.memory_max)
    memory = min(machine.ram_mb, limit / 2**20)
    workers = min(cores, math.floor(memory / worker_mb))
    if workers == 0:
        return 0, 0
    return workers, math.floor(cores / workers)


@right
def plan_min(machine, worker_mb):
    """The smaller of what there is and what is allowed."""
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, max(1, int(quota) // int(period)))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)


@right
def search(machine, worker_mb):
    """Try every number of workers, from the largest."""
    cores = min(machine.cpu_count, machine.affinity)
    if not machine.cpu_max.startswith("max"):
        quota, period = map(int, machine.cpu_max.split())
        cores = min(cores, quota // period) or 1
    for workers in range(cores, 0, -1):
        needed = workers * worker_mb
        fits = machine.memory_max == "max" or needed * 2**20 <= int(machine.memory_max)
        if fits and needed <= machine.ram_mb:
            threads = 1
            while workers * (threads + 1) <= cores:
                threads += 1
            return [workers, threads]
    return [0, 0]


@crashed
def plan_max(machine, worker_mb):
    """int of the word max."""
    quota, period = map(int, machine.cpu_max.split())
    cores = min(machine.affinity, quota // period)
    return cores, 1


@wrong("memory_limit_ignored")
@changed(
    plan_min,
    (
        """
        if machine.memory_max != "max":
            memory = min(memory, int(machine.memory_max) // 2**20)
        """,
        "",
    ),
)
def plan_memory():
    """memory_max is not used."""


@crashed
@changed(plan_min, ("(workers, cores // workers) if workers else (0, 0)", "workers"))
def one_number():
    """Only the workers."""


@crashed
@changed(plan_min, ("if workers else (0, 0)", ""))
def zero():
    """Divides by no workers."""
