"""The shipped code under its new name."""

import json

EXPECT = {"12/my_from_slurm": "NOT ATTEMPTED"}


def my_from_slurm(environ):
    hosts = []
    for node in sorted(node_names(environ["SLURM_STEP_NODELIST"])):
        hosts.append(f"{node}:8888")
    task = {"type": "worker", "index": int(environ["SLURM_PROCID"])}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})
