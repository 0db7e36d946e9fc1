"""Wrong answers to 13/my_from_slurm: each is the mistake of its name."""

from __future__ import annotations

import json
from collections.abc import Mapping

from course.checks.exercises import wrong_answers
from course.lessons.n13_cluster_never_starts.slurm_names import node_names, task_counts

FIRST_PORT = 8888
Environ = Mapping[str, str]


def _text(hosts: list[str], index: object) -> str:
    task = {"type": "worker", "index": index}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})


def _nodes(environ: Environ) -> list[str]:
    return node_names(environ["SLURM_STEP_NODELIST"])


def _counts(environ: Environ) -> list[int]:
    return task_counts(environ["SLURM_STEP_TASKS_PER_NODE"])


def _rank(environ: Environ) -> int:
    return int(environ["SLURM_PROCID"])


def _hosts(nodes: list[str], counts: list[int]) -> list[str]:
    places = zip(nodes, counts, strict=True)
    return [f"{node}:{FIRST_PORT + i}" for node, count in places for i in range(count)]


def _all_hosts(environ: Environ) -> list[str]:
    return _hosts(_nodes(environ), _counts(environ))


def right(environ: Environ) -> str:
    """Return the TF_CONFIG of this task."""
    return _text(_all_hosts(environ), _rank(environ))


def one_for_each_node_sorted(environ: Environ) -> str:
    """There is one worker for each NODE instead of each task. And the nodes are sorted
    by name, but Slurm numbers the tasks in the order of its node list.
    """
    hosts = [f"{node}:{FIRST_PORT}" for node in sorted(_nodes(environ))]
    return _text(hosts, _rank(environ))


def sorted_nodes(environ: Environ) -> str:
    """The nodes are sorted as text, so node10 is before node9, as in
    SlurmClusterResolver. Slurm numbers its tasks in the order of the node list.
    """
    counted = sorted(zip(_nodes(environ), _counts(environ), strict=True))
    return _text(_hosts(*zip(*counted, strict=True)), _rank(environ))


def sorted_names(environ: Environ) -> str:
    """The nodes are sorted by name, but their numbers of tasks are not. Keep both in
    Slurm's order, which is the order of the tasks.
    """
    hosts = _hosts(sorted(_nodes(environ)), _counts(environ))
    return _text(hosts, _rank(environ))


def sorted_with_its_index(environ: Environ) -> str:
    """The addresses are sorted, and the index fits that order. It would work, but keep
    Slurm's order, in which SLURM_PROCID is the index.
    """
    hosts = _all_hosts(environ)
    return _text(sorted(hosts), sorted(hosts).index(hosts[_rank(environ)]))


def first_count_for_all(environ: Environ) -> str:
    """Every node has as many tasks as the first. Nodes may have different numbers of
    them.
    """
    nodes = _nodes(environ)
    counts = _counts(environ)[:1] * len(nodes)
    return _text(_hosts(nodes, counts), _rank(environ))


def port_of_the_node(environ: Environ) -> str:
    """The port counts the nodes, so all tasks of a node have the same one. It must
    count the tasks of each node.
    """
    hosts = []
    for number, node in enumerate(_nodes(environ)):
        hosts += [f"{node}:{FIRST_PORT + number}"] * _counts(environ)[number]
    return _text(hosts, _rank(environ))


def one_for_each_node(environ: Environ) -> str:
    """There is one worker for each NODE. Each task is a worker."""
    hosts = [f"{node}:{FIRST_PORT}" for node in _nodes(environ)]
    return _text(hosts, _rank(environ))


def one_for_each_node_by_node(environ: Environ) -> str:
    """There is one worker for each node, and all tasks of a node take its index. Each
    task is a worker.
    """
    hosts = [f"{node}:{FIRST_PORT}" for node in _nodes(environ)]
    return _text(hosts, int(environ["SLURM_NODEID"]))


def same_port(environ: Environ) -> str:
    """All tasks of a node have the same port, but only one of them can listen there.
    Add the task's number on its node.
    """
    hosts = []
    for node, count in zip(_nodes(environ), _counts(environ), strict=True):
        hosts += [f"{node}:{FIRST_PORT}"] * count
    return _text(hosts, _rank(environ))


def ports_count_on(environ: Environ) -> str:
    """The ports count on from node to node. That would work, but the first task of EACH
    node must get 8888.
    """
    names = [host.split(":")[0] for host in _all_hosts(environ)]
    hosts = [f"{name}:{FIRST_PORT + k}" for k, name in enumerate(names)]
    return _text(hosts, _rank(environ))


def nodes_in_turn(environ: Environ) -> str:
    """The tasks go to the nodes in turn, one to each. Slurm fills the first node, then
    the next.
    """
    hosts = sorted(_all_hosts(environ), key=lambda host: host.split(":")[1])
    return _text(hosts, _rank(environ))


def local_number(environ: Environ) -> str:
    """The index is SLURM_LOCALID. It counts from 0 on every node, so several workers
    have the same index. SLURM_PROCID is the number over all nodes.
    """
    return _text(_all_hosts(environ), int(environ["SLURM_LOCALID"]))


def node_number(environ: Environ) -> str:
    """The index is SLURM_NODEID, the number of the node: all its tasks have the same
    index. SLURM_PROCID is the number of the task.
    """
    return _text(_all_hosts(environ), int(environ["SLURM_NODEID"]))


def always_worker_0(environ: Environ) -> str:
    """The index is always 0."""
    return _text(_all_hosts(environ), 0)


MISTAKES = wrong_answers(__name__, right)
