"""MB of 10**6 bytes."""

EXPECT = {"11/my_plan": "WRONG millions_of_bytes"}


def my_plan(machine, worker_mb):
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, max(1, int(quota) // int(period)))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 10**6)
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)
