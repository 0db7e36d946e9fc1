"""With fractions, and infinity where there is no limit."""

import math

EXPECT = {"11/my_plan": "RIGHT"}


def my_plan(machine, worker_mb):
    quota, period = machine.cpu_max.split()
    share = math.inf if quota == "max" else float(quota) / float(period)
    cores = max(1, math.floor(min(machine.affinity, share)))
    limit = math.inf if machine.memory_max == "max" else float(machine.memory_max)
    memory = min(machine.ram_mb, limit / 2**20)
    workers = min(cores, math.floor(memory / worker_mb))
    if workers == 0:
        return 0, 0
    return workers, math.floor(cores / workers)
