"""The shipped code, reformatted."""

EXPECT = {"11/my_plan": "NOT ATTEMPTED"}


def my_plan(machine, worker_mb):
    workers = min(
        machine.cpu_count,
        machine.ram_mb // worker_mb,
    )
    return (workers, machine.cpu_count // workers) if workers else (0, 0)
