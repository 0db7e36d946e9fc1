"""Both limits take the place of what there is."""

EXPECT = {"11/my_plan": "WRONG limits_replace_both"}


def my_plan(machine, worker_mb):
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = max(1, int(quota) // int(period))
    if machine.memory_max != "max":
        memory = int(machine.memory_max) // 2**20
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)
