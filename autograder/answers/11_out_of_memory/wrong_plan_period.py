"""Divides by 100000."""

EXPECT = {"11/my_plan": "WRONG usual_period"}


def my_plan(machine, worker_mb):
    cores, memory = machine.affinity, machine.ram_mb
    quota = machine.cpu_max.split()[0]
    if quota != "max":
        cores = min(cores, max(1, int(quota) // 100_000))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)
