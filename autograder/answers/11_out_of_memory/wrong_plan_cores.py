"""The host's cores, the container's memory."""

EXPECT = {"11/my_plan": "WRONG cores_ignored"}


def my_plan(machine, worker_mb):
    cores, memory = machine.cpu_count, machine.ram_mb
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)
