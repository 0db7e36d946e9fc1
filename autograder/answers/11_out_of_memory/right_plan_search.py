"""Try every number of workers, from the largest."""

EXPECT = {"11/my_plan": "RIGHT"}


def my_plan(machine, worker_mb):
    cores = min(machine.cpu_count, machine.affinity)
    if not machine.cpu_max.startswith("max"):
        quota, period = map(int, machine.cpu_max.split())
        cores = min(cores, quota // period) or 1
    for workers in range(cores, 0, -1):
        needed = workers * worker_mb
        fits = machine.memory_max == "max" or needed * 2**20 <= int(machine.memory_max)
        if fits and needed <= machine.ram_mb:
            threads = 1
            while workers * (threads + 1) <= cores:
                threads += 1
            return [workers, threads]
    return [0, 0]
