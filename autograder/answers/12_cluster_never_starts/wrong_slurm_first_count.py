"""The first count for all nodes."""

import json

EXPECT = {"12/my_from_slurm": "WRONG first_count_for_all"}


def my_from_slurm(environ):
    nodes = node_names(environ["SLURM_STEP_NODELIST"])
    counts = task_counts(environ["SLURM_STEP_TASKS_PER_NODE"])
    hosts = []
    for node in nodes:
        hosts += [f"{node}:{8888 + i}" for i in range(counts[0])]
    task = {"type": "worker", "index": int(environ["SLURM_PROCID"])}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})
