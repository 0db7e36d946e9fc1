"""One for each node, with the node's number."""

import json

EXPECT = {"12/my_from_slurm": "WRONG one_for_each_node_by_node"}


def my_from_slurm(environ):
    nodes = node_names(environ["SLURM_STEP_NODELIST"])
    task = {"type": "worker", "index": int(environ["SLURM_NODEID"])}
    hosts = [f"{node}:8888" for node in nodes]
    return json.dumps({"cluster": {"worker": hosts}, "task": task})
