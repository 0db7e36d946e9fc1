"""Wrong answers to 11/my_plan that know what is allowed, and share it wrongly."""

from __future__ import annotations


def threads_of_affinity(machine, worker_mb):
    """The workers are right; for the threads, the quota is forgotten."""
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, max(1, int(quota) // int(period)))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = min(cores, memory // worker_mb)
    return (workers, machine.affinity // workers) if workers else (0, 0)


def all_threads_each(machine, worker_mb):
    """Each worker gets as many threads as there are cores, so that they are
    oversubscribed. Workers x threads must not be more than cores.
    """
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, max(1, int(quota) // int(period)))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = min(cores, memory // worker_mb)
    return (workers, cores) if workers else (0, 0)


def one_thread_each(machine, worker_mb):
    """Every worker gets one thread, although cores are left over where memory
    allows few workers.
    """
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, max(1, int(quota) // int(period)))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = min(cores, memory // worker_mb)
    return (workers, 1) if workers else (0, 0)


def workers_by_memory(machine, worker_mb):
    """The number of workers follows memory only. More workers than cores have to
    take turns.
    """
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, max(1, int(quota) // int(period)))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = memory // worker_mb
    return (workers, max(1, cores // workers)) if workers else (0, 0)


def workers_by_cores(machine, worker_mb):
    """The number of workers follows the cores only, whether their memory is there
    or not.
    """
    cores = machine.affinity
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, max(1, int(quota) // int(period)))
    return cores, 1


def at_least_one(machine, worker_mb):
    """Where not even one worker fits, one is planned. It would run out of memory:
    plan (0, 0).
    """
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, max(1, int(quota) // int(period)))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = max(1, min(cores, memory // worker_mb))
    return workers, cores // workers


def swapped(machine, worker_mb):
    """The two numbers are right, in the wrong order: first workers, then threads."""
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, max(1, int(quota) // int(period)))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = min(cores, memory // worker_mb)
    return (cores // workers, workers) if workers else (0, 0)
