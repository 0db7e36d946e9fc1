"""The ports count on."""

import json

EXPECT = {"12/my_from_slurm": "WRONG ports_count_on"}


def my_from_slurm(environ):
    hosts = []
    nodes = node_names(environ["SLURM_STEP_NODELIST"])
    counts = task_counts(environ["SLURM_STEP_TASKS_PER_NODE"])
    for node, count in zip(nodes, counts, strict=True):
        hosts += [f"{node}:{8888 + len(hosts) + i}" for i in range(count)]
    task = {"type": "worker", "index": int(environ["SLURM_PROCID"])}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})
