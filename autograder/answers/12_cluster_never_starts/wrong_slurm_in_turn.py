"""Tasks are dealt out in turn."""

import json

EXPECT = {"12/my_from_slurm": "WRONG nodes_in_turn"}


def my_from_slurm(environ):
    nodes = node_names(environ["SLURM_STEP_NODELIST"])
    counts = task_counts(environ["SLURM_STEP_TASKS_PER_NODE"])
    hosts = []
    for i in range(max(counts)):
        for node, count in zip(nodes, counts, strict=True):
            if i < count:
                hosts.append(f"{node}:{8888 + i}")
    task = {"type": "worker", "index": int(environ["SLURM_PROCID"])}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})
