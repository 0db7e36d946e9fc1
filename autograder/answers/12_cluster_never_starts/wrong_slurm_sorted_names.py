"""Names sorted, counts as they came."""

import json

EXPECT = {"12/my_from_slurm": "WRONG sorted_names"}


def my_from_slurm(environ):
    nodes = node_names(environ["SLURM_STEP_NODELIST"])
    counts = task_counts(environ["SLURM_STEP_TASKS_PER_NODE"])
    hosts = []
    for node, count in zip(sorted(nodes), counts, strict=True):
        hosts += [f"{node}:{8888 + i}" for i in range(count)]
    task = {"type": "worker", "index": int(environ["SLURM_PROCID"])}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})
