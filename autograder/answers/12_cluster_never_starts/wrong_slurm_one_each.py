"""One for each node, in Slurm's order."""

import json

EXPECT = {"12/my_from_slurm": "WRONG one_for_each_node"}


def my_from_slurm(environ):
    nodes = node_names(environ["SLURM_STEP_NODELIST"])
    task = {"type": "worker", "index": int(environ["SLURM_PROCID"])}
    hosts = [f"{node}:8888" for node in nodes]
    return json.dumps({"cluster": {"worker": hosts}, "task": task})
