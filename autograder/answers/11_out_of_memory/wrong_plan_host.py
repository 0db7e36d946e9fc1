"""The host's figures, written in another way."""

EXPECT = {"11/my_plan": "WRONG the_host"}


def my_plan(machine, worker_mb):
    cores, memory = machine.cpu_count, machine.ram_mb
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)
