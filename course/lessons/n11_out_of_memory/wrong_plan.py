"""Wrong answers to 11/my_plan: names are codes, docstrings causes."""

from __future__ import annotations

import math
from dataclasses import replace

from course.checks.exercises import wrong_answers
from course.lessons.n11_out_of_memory.machines import (
    MB,
    allowed_cores,
    allowed_memory,
    core_time,
    memory_limit,
    plan,
    shared_out,
)


def the_host(machine, worker_mb):
    """It plans with the host: cpu_count and ram_mb are what the machine HAS. A
    process may be allowed less of both.
    """
    return shared_out(machine.cpu_count, machine.ram_mb, worker_mb)


def affinity_only(machine, worker_mb):
    """Affinity is used, but not the container's two limits: cpu_max limits the time
    on all cores together, memory_max the memory.
    """
    return shared_out(machine.affinity, machine.ram_mb, worker_mb)


def quota_replaces_affinity(machine, worker_mb):
    """Where cpu_max has a limit, affinity is no longer used. A process may be bound
    to fewer cores than its container may take: the smaller one counts.
    """
    return shared_out(_quota_only(machine), allowed_memory(machine), worker_mb)


def limit_replaces_memory(machine, worker_mb):
    """Where memory_max has a limit, ram_mb is no longer used. A limit may be larger
    than what the machine has: the smaller one counts.
    """
    return shared_out(allowed_cores(machine), _limit_only(machine), worker_mb)


def limits_replace_both(machine, worker_mb):
    """The container's limits take the place of affinity and ram_mb. A limit may be
    larger than what there is: the smaller one counts, for both.
    """
    return shared_out(_quota_only(machine), _limit_only(machine), worker_mb)


def millions_of_bytes(machine, worker_mb):
    """memory_max is turned into MB of 10**6 bytes, which gives 5 % too many. Here 1
    MB is 2**20 bytes.
    """
    memory = min(machine.ram_mb, memory_limit(machine) * MB // 10**6)
    return shared_out(allowed_cores(machine), memory, worker_mb)


def affinity_ignored(machine, worker_mb):
    """The process may run on fewer cores than the host has: that is affinity."""
    return plan(replace(machine, affinity=machine.cpu_count), worker_mb)


def quota_ignored(machine, worker_mb):
    """The container's cpu_max is not used. It limits the TIME on all cores
    together, and neither cpu_count nor affinity shows it.
    """
    return shared_out(machine.affinity, allowed_memory(machine), worker_mb)


def memory_limit_ignored(machine, worker_mb):
    """The container's memory_max has no effect. ram_mb is the host's; memory_max is
    in bytes.
    """
    memory = min(machine.ram_mb, memory_limit(machine) * MB)
    return shared_out(allowed_cores(machine), memory, worker_mb)


def cores_ignored(machine, worker_mb):
    """The memory is right, but the cores are those of the host."""
    return shared_out(machine.cpu_count, allowed_memory(machine), worker_mb)


def rounded_up(machine, worker_mb):
    """Part of a core is counted as a whole one. Round down, but not below 1."""
    cores = math.ceil(min(machine.affinity, core_time(machine)))
    return shared_out(cores, allowed_memory(machine), worker_mb)


def usual_period(machine, worker_mb):
    """The quota is divided by 100000. Divide by the period that stands beside it:
    not all have the usual one.
    """
    quota = machine.cpu_max.split()[0]
    return plan(replace(machine, cpu_max=f"{quota} 100000"), worker_mb)


def threads_of_affinity(machine, worker_mb):
    """The workers are right; for the threads, the quota is forgotten."""
    workers, _ = plan(machine, worker_mb)
    return workers, machine.affinity // workers if workers else 0


def no_core_left(machine, worker_mb):
    """Less than one core is rounded down to none. One worker with one thread runs
    there too, only slowly.
    """
    cores = int(min(machine.affinity, core_time(machine)))
    return shared_out(cores, allowed_memory(machine), worker_mb)


def all_threads_each(machine, worker_mb):
    """Each worker gets as many threads as there are cores, so that they are
    oversubscribed. Workers x threads must not be more than cores.
    """
    workers, _ = plan(machine, worker_mb)
    return workers, allowed_cores(machine) if workers else 0


def one_thread_each(machine, worker_mb):
    """Every worker gets one thread, although cores are left over where memory
    allows few workers.
    """
    workers, threads = plan(machine, worker_mb)
    return workers, min(1, threads)


def workers_by_memory(machine, worker_mb):
    """The number of workers follows memory only. More workers than cores have to
    take turns.
    """
    workers = allowed_memory(machine) // worker_mb
    return workers, max(1, allowed_cores(machine) // workers) if workers else 0


def workers_by_cores(machine, worker_mb):
    """The number of workers follows the cores only, whether their memory is there
    or not.
    """
    return allowed_cores(machine), 1


def at_least_one(machine, worker_mb):
    """Where not even one worker fits, one is planned. It would run out of memory:
    plan (0, 0).
    """
    workers, threads = plan(machine, worker_mb)
    return (workers, threads) if workers else (1, allowed_cores(machine))


def swapped(machine, worker_mb):
    """The two numbers are right, in the wrong order: first workers, then threads."""
    workers, threads = plan(machine, worker_mb)
    return threads, workers


def _quota_only(machine) -> int:
    """Return the cores that a quota allows; without one, the affinity."""
    time = core_time(machine)
    return machine.affinity if time == math.inf else max(1, int(time))


def _limit_only(machine) -> float:
    """Return the MB that a limit allows; without one, what the machine has."""
    limit = memory_limit(machine)
    return machine.ram_mb if limit == math.inf else limit // 1


MISTAKES = wrong_answers(__name__)
