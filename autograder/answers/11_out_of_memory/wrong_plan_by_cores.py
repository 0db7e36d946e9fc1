"""As many workers as cores."""

EXPECT = {"11/my_plan": "WRONG workers_by_cores"}


def my_plan(machine, worker_mb):
    cores = machine.affinity
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, max(1, int(quota) // int(period)))
    return cores, 1
