"""As many workers as memory allows."""

EXPECT = {"11/my_plan": "WRONG workers_by_memory"}


def my_plan(machine, worker_mb):
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, max(1, int(quota) // int(period)))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = memory // worker_mb
    return (workers, max(1, cores // workers)) if workers else (0, 0)
