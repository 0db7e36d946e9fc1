"""Only cpu_count is replaced, by affinity."""

EXPECT = {"11/my_plan": "WRONG affinity_only"}


def my_plan(machine, worker_mb):
    cores, memory = machine.affinity, machine.ram_mb

    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)
