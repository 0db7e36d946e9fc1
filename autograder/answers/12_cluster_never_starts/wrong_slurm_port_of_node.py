"""The port counts nodes."""

import json

EXPECT = {"12/my_from_slurm": "WRONG port_of_the_node"}


def my_from_slurm(environ):
    nodes = node_names(environ["SLURM_STEP_NODELIST"])
    counts = task_counts(environ["SLURM_STEP_TASKS_PER_NODE"])
    hosts = []
    for number, (node, count) in enumerate(zip(nodes, counts, strict=True)):
        hosts += [f"{node}:{8888 + number}"] * count
    task = {"type": "worker", "index": int(environ["SLURM_PROCID"])}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})
