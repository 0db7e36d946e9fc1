"""int of the word max."""

EXPECT = {"11/my_plan": "CRASHED"}


def my_plan(machine, worker_mb):
    quota, period = map(int, machine.cpu_max.split())
    cores = min(machine.affinity, quota // period)
    return cores, 1
