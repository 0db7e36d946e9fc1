"""Wrong answers to 11/my_plan: names are codes, docstrings causes."""

from __future__ import annotations

from course.lessons.n11_out_of_memory.wrong_shares import (
    all_threads_each,
    at_least_one,
    one_thread_each,
    swapped,
    threads_of_affinity,
    workers_by_cores,
    workers_by_memory,
)


def the_host(machine, worker_mb):
    """It plans with the host: cpu_count and ram_mb are what the machine HAS. A
    process may be allowed less of both.
    """
    cores, memory = machine.cpu_count, machine.ram_mb
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)


def affinity_only(machine, worker_mb):
    """Affinity is used, but not the container's two limits: cpu_max limits the time
    on all cores together, memory_max the memory.
    """
    cores, memory = machine.affinity, machine.ram_mb

    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)


def quota_replaces_affinity(machine, worker_mb):
    """Where cpu_max has a limit, affinity is no longer used. A process may be bound
    to fewer cores than its container may take: the smaller one counts.
    """
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = max(1, int(quota) // int(period))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)


def limit_replaces_memory(machine, worker_mb):
    """Where memory_max has a limit, ram_mb is no longer used. A limit may be larger
    than what the machine has: the smaller one counts.
    """
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, max(1, int(quota) // int(period)))
    if machine.memory_max != "max":
        memory = int(machine.memory_max) // 2**20
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)


def limits_replace_both(machine, worker_mb):
    """The container's limits take the place of affinity and ram_mb. A limit may be
    larger than what there is: the smaller one counts, for both.
    """
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = max(1, int(quota) // int(period))
    if machine.memory_max != "max":
        memory = int(machine.memory_max) // 2**20
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)


def millions_of_bytes(machine, worker_mb):
    """memory_max is turned into MB of 10**6 bytes, which gives 5 % too many. Here 1
    MB is 2**20 bytes.
    """
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, max(1, int(quota) // int(period)))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 10**6)
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)


def affinity_ignored(machine, worker_mb):
    """The process may run on fewer cores than the host has: that is affinity."""
    cores, memory = machine.cpu_count, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, max(1, int(quota) // int(period)))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)


def quota_ignored(machine, worker_mb):
    """The container's cpu_max is not used. It limits the TIME on all cores
    together, and neither cpu_count nor affinity shows it.
    """
    cores, memory = machine.affinity, machine.ram_mb
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)


def memory_limit_ignored(machine, worker_mb):
    """The container's memory_max has no effect. ram_mb is the host's; memory_max is
    in bytes.
    """
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, max(1, int(quota) // int(period)))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max))
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)


def cores_ignored(machine, worker_mb):
    """The memory is right, but the cores are those of the host."""
    cores, memory = machine.cpu_count, machine.ram_mb
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)


def rounded_up(machine, worker_mb):
    """Part of a core is counted as a whole one. Round down, but not below 1."""
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, -(-int(quota) // int(period)))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)


def usual_period(machine, worker_mb):
    """The quota is divided by 100000. Divide by the period that stands beside it:
    not all have the usual one.
    """
    cores, memory = machine.affinity, machine.ram_mb
    quota = machine.cpu_max.split()[0]
    if quota != "max":
        cores = min(cores, max(1, int(quota) // 100_000))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)


def no_core_left(machine, worker_mb):
    """Less than one core is rounded down to none. One worker with one thread runs
    there too, only slowly.
    """
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, int(quota) // int(period))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)


MISTAKES = (
    the_host,
    affinity_only,
    quota_replaces_affinity,
    limit_replaces_memory,
    limits_replace_both,
    millions_of_bytes,
    affinity_ignored,
    quota_ignored,
    memory_limit_ignored,
    cores_ignored,
    rounded_up,
    usual_period,
    threads_of_affinity,
    no_core_left,
    all_threads_each,
    one_thread_each,
    workers_by_memory,
    workers_by_cores,
    at_least_one,
    swapped,
)
