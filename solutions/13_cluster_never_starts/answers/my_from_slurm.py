"""Answers to 13/my_from_slurm, right and wrong, and what the check says of each."""

import json

from autograder.answers import right


@right
def fold(environ):
    """Counted host by host."""
    nodes = node_names(environ["SLURM_STEP_NODELIST"])
    counts = task_counts(environ["SLURM_STEP_TASKS_PER_NODE"])
    hosts = [
        f"{node}:{8888 + i}"
        for node, count in zip(nodes, counts, strict=True)
        for i in range(count)
    ]
    rank = int(environ["SLURM_PROCID"])
    return json.dumps(
        {"cluster": {"worker": hosts}, "task": {"type": "worker", "index": rank}}
    )


@right
def own_place(environ):
    """The index is looked up by node and local number."""
    hosts = []
    nodes = node_names(environ["SLURM_STEP_NODELIST"])
    for number, count in enumerate(task_counts(environ["SLURM_STEP_TASKS_PER_NODE"])):
        for i in range(count):
            hosts.append(nodes[number] + ":" + str(8888 + i))
    port = 8888 + int(environ["SLURM_LOCALID"])
    own = f"{nodes[int(environ['SLURM_NODEID'])]}:{port}"
    task = {"type": "worker", "index": hosts.index(own)}
    return json.dumps({"task": task, "cluster": {"worker": hosts}})


@right
def text_index(environ):
    """The index is still a text, which counts the same for TensorFlow."""
    hosts = []
    nodes = node_names(environ["SLURM_STEP_NODELIST"])
    counts = task_counts(environ["SLURM_STEP_TASKS_PER_NODE"])
    for node, count in zip(nodes, counts, strict=True):
        hosts += [f"{node}:{8888 + i}" for i in range(count)]
    task = {"type": "worker", "index": environ["SLURM_PROCID"]}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})


@wrong
def slurm_dict(environ):
    """A dictionary, no text."""
    hosts = []
    nodes = node_names(environ["SLURM_STEP_NODELIST"])
    counts = task_counts(environ["SLURM_STEP_TASKS_PER_NODE"])
    for node, count in zip(nodes, counts, strict=True):
        hosts += [f"{node}:{8888 + i}" for i in range(count)]
    task = {"type": "worker", "index": int(environ["SLURM_PROCID"])}
    return {"cluster": {"worker": hosts}, "task": task}
