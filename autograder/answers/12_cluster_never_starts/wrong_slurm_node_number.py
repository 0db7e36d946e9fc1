"""SLURM_NODEID as index."""

import json

EXPECT = {"12/my_from_slurm": "WRONG node_number"}


def my_from_slurm(environ):
    hosts = []
    nodes = node_names(environ["SLURM_STEP_NODELIST"])
    counts = task_counts(environ["SLURM_STEP_TASKS_PER_NODE"])
    for node, count in zip(nodes, counts, strict=True):
        hosts += [f"{node}:{8888 + i}" for i in range(count)]
    task = {"type": "worker", "index": int(environ["SLURM_NODEID"])}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})
