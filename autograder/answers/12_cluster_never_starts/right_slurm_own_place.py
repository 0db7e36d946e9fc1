"""The index is looked up by node and local number."""

import json

EXPECT = {"12/my_from_slurm": "RIGHT"}


def my_from_slurm(environ):
    hosts = []
    nodes = node_names(environ["SLURM_STEP_NODELIST"])
    for number, count in enumerate(task_counts(environ["SLURM_STEP_TASKS_PER_NODE"])):
        for i in range(count):
            hosts.append(nodes[number] + ":" + str(8888 + i))
    port = 8888 + int(environ["SLURM_LOCALID"])
    own = f"{nodes[int(environ['SLURM_NODEID'])]}:{port}"
    task = {"type": "worker", "index": hosts.index(own)}
    return json.dumps({"task": task, "cluster": {"worker": hosts}})
