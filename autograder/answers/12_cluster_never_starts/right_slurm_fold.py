"""Counted host by host."""

import json

EXPECT = {"12/my_from_slurm": "RIGHT"}


def my_from_slurm(environ):
    nodes = node_names(environ["SLURM_STEP_NODELIST"])
    counts = task_counts(environ["SLURM_STEP_TASKS_PER_NODE"])
    hosts = [
        f"{node}:{8888 + i}"
        for node, count in zip(nodes, counts, strict=True)
        for i in range(count)
    ]
    rank = int(environ["SLURM_PROCID"])
    return json.dumps(
        {"cluster": {"worker": hosts}, "task": {"type": "worker", "index": rank}}
    )
