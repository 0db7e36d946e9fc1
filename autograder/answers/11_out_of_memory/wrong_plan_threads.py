"""Threads from affinity alone."""

EXPECT = {"11/my_plan": "WRONG threads_of_affinity"}


def my_plan(machine, worker_mb):
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, max(1, int(quota) // int(period)))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = min(cores, memory // worker_mb)
    return (workers, machine.affinity // workers) if workers else (0, 0)
