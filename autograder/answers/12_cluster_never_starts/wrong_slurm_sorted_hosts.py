"""All sorted, with an index that fits."""

import json

EXPECT = {"12/my_from_slurm": "WRONG sorted_with_its_index"}


def my_from_slurm(environ):
    nodes = node_names(environ["SLURM_STEP_NODELIST"])
    counts = task_counts(environ["SLURM_STEP_TASKS_PER_NODE"])
    hosts = []
    for node, count in zip(nodes, counts, strict=True):
        hosts += [f"{node}:{8888 + i}" for i in range(count)]
    own = hosts[int(environ["SLURM_PROCID"])]
    hosts.sort()
    task = {"type": "worker", "index": hosts.index(own)}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})
