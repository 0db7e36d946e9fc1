"""Further exercise: from Slurm's variables to a TF_CONFIG."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.exercises import Difference, Exercise, Mistake, Observation
from course.jobs.slurm_names import node_names, task_counts

FIRST_PORT = 8888


@dataclass(frozen=True)
class Step:
    """A step of a Slurm job, as one of its tasks sees it.

    tasks: SLURM_STEP_TASKS_PER_NODE.
    rank: SLURM_PROCID, the number of the task over all nodes.
    """

    nodes: str
    tasks: str
    rank: int

    @property
    def counts(self) -> dict[str, int]:
        """How many tasks each node has, in Slurm's order."""
        names, counts = node_names(self.nodes), task_counts(self.tasks)
        return dict(zip(names, counts, strict=True))

    @property
    def places(self) -> list[tuple[str, int]]:
        """For each task, its node and its number on that node."""
        return [(name, i) for name, count in self.counts.items() for i in range(count)]

    @property
    def environ(self) -> dict[str, str]:
        """The variables that Slurm sets for this task."""
        name, local = self.places[self.rank]
        return {
            "SLURM_STEP_NODELIST": self.nodes,
            "SLURM_STEP_TASKS_PER_NODE": self.tasks,
            "SLURM_STEP_NUM_TASKS": str(len(self.places)),
            "SLURM_PROCID": str(self.rank),
            "SLURM_LOCALID": str(local),
            "SLURM_NODEID": str(list(self.counts).index(name)),
        }

    def __str__(self) -> str:
        return f"{self.nodes}, tasks {self.tasks}, SLURM_PROCID {self.rank}"


def draw(rng: np.random.Generator) -> list[Step]:
    """Draw nodes that are not in the order of their names, with one task or more."""
    low, n = int(rng.integers(7, 10)), int(rng.integers(2, 4))
    return [
        Step(f"node[{low}-{low + 3}]", "1(x4)", 2),
        Step(f"gpu[{low}-{low + 2}],cpu4", f"{n + 1}(x2),{n},1", n + 2),
        Step(f"b[01-02],a[{low:02}-{low + 1:02}]", "2,1,2(x2)", 5),
    ]


def _text(hosts: list[str], index: object) -> str:
    task = {"type": "worker", "index": index}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})


def _hosts(places: list[tuple[str, int]]) -> list[str]:
    return [f"{name}:{FIRST_PORT + i}" for name, i in places]


def right(step: Step) -> str:
    """Return the TF_CONFIG of this task."""
    return _text(_hosts(step.places), step.rank)


def _sorted(step: Step) -> str:
    counts = sorted(step.counts.items())
    places = [(name, i) for name, count in counts for i in range(count)]
    return _text(_hosts(places), step.rank)


def _sorted_names(step: Step) -> str:
    """Names sorted, numbers of tasks in the order in which they came."""
    counted = zip(sorted(step.counts), step.counts.values(), strict=True)
    places = [(name, i) for name, count in counted for i in range(count)]
    return _text(_hosts(places), step.rank)


def _sorted_hosts(step: Step) -> str:
    """All addresses sorted, with the index that belongs to this task's."""
    hosts = _hosts(step.places)
    return _text(sorted(hosts), sorted(hosts).index(hosts[step.rank]))


def _first_count(step: Step) -> str:
    """As many tasks on each node as on the first."""
    count = next(iter(step.counts.values()))
    places = [(name, i) for name in step.counts for i in range(count)]
    return _text(_hosts(places), step.rank)


def _node_ports(step: Step) -> str:
    """The port counts nodes, not the tasks of a node."""
    names = list(step.counts)
    ports = [f"{name}:{FIRST_PORT + names.index(name)}" for name, _ in step.places]
    return _text(ports, step.rank)


def _one_for_each_node(step: Step, index: Callable[[Step], int]) -> str:
    return _text([f"{name}:{FIRST_PORT}" for name in step.counts], index(step))


def _same_port(step: Step) -> str:
    return _text([f"{name}:{FIRST_PORT}" for name, _ in step.places], step.rank)


def _by_rank(step: Step) -> str:
    places = enumerate(step.places)
    return _text([f"{name}:{FIRST_PORT + k}" for k, (name, _) in places], step.rank)


def _round_robin(step: Step) -> str:
    places = sorted(step.places, key=lambda place: place[1])
    return _text(_hosts(places), step.rank)


def _number(step: Step, name: str) -> int:
    return int(step.environ[f"SLURM_{name}"])


def observation(step: Step, text: object) -> Observation:
    """Read a TF_CONFIG: its index, how many addresses, the node and port of each.

    Raises:
        TypeError: it is no TF_CONFIG with a list of workers.
    """
    wanted = "a TF_CONFIG: a text in JSON, with a cluster of workers and a task"
    try:
        config = json.loads(text)
        hosts, task = config["cluster"]["worker"], config["task"]
        index = float(task["index"]) if task["type"] == "worker" else -1.0
        pairs = [str(host).rpartition(":")[::2] for host in hosts]
    except (TypeError, ValueError, KeyError, AttributeError):
        raise TypeError(
            f"the function returned {text!r}; it must be {wanted}"
        ) from None
    names = list(step.counts)
    size = len(step.places)
    read = [
        (names.index(n) if n in names else -1, int(p) if p.isdigit() else -1)
        for n, p in pairs
    ]
    shown = [*read, *[(-1, -1)] * size][:size]
    return Observation(np.array([index, len(pairs), *np.ravel(shown)], dtype=float))


def _compare(step: Step, got: Observation, truth: Observation) -> Difference:
    def told(seen: Observation) -> str:
        index, count, *rest = seen.values.astype(int)
        names = [*step.counts, "an unknown node"]
        pairs = zip(rest[::2], rest[1::2], strict=True)
        hosts = [f"{names[n]}:{p if p >= 0 else '?'}" for n, p in pairs]
        more = ", ..." if count > len(hosts) else ""
        many = "1 address" if count == 1 else f"{count} addresses"
        return f"index {index}, {many}: {', '.join(hosts[:count])}{more}"

    return Difference(f"It returned {told(got)}.", f"Expected {told(truth)}.")


def _mistake(code: str, text: Callable[[Step], str], cause: str) -> Mistake:
    return Mistake(code, cause, lambda step: observation(step, text(step)))


MY_FROM_SLURM = Exercise(
    name="12/my_from_slurm",
    cases=draw,
    observe=lambda function, step: observation(step, function(step.environ)),
    expect=lambda step: observation(step, right(step)),
    compare=_compare,
    mistakes=(
        _mistake(
            "one_for_each_node_sorted",
            lambda step: _text(
                [f"{name}:{FIRST_PORT}" for name in sorted(step.counts)], step.rank
            ),
            "two things: there is one worker for each NODE, not for each task; and the "
            "nodes are sorted by name, which is not the order in which Slurm numbers "
            "the tasks.",
        ),
        _mistake(
            "sorted_nodes",
            _sorted,
            "the nodes are sorted as text, so that node10 comes before node9, as "
            "in SlurmClusterResolver. Slurm numbers its tasks in the order of the node "
            "list.",
        ),
        _mistake(
            "sorted_names",
            _sorted_names,
            "the nodes are sorted by name, and their numbers of tasks are not. Both "
            "come in Slurm's order, which is that of the tasks.",
        ),
        _mistake(
            "sorted_with_its_index",
            _sorted_hosts,
            "the addresses are sorted, and the index fits to that. It would work, but "
            "Slurm's order was asked for, in which SLURM_PROCID is the index.",
        ),
        _mistake(
            "first_count_for_all",
            _first_count,
            "every node has as many tasks as the first. Nodes may have different "
            "numbers of them.",
        ),
        _mistake(
            "port_of_the_node",
            _node_ports,
            "the port counts the nodes, so that all tasks of a node have the same. It "
            "counts the tasks of each node.",
        ),
        _mistake(
            "one_for_each_node",
            lambda step: _one_for_each_node(step, lambda s: s.rank),
            "there is one worker for each NODE. Each task is a worker.",
        ),
        _mistake(
            "one_for_each_node_by_node",
            lambda step: _one_for_each_node(step, lambda s: _number(s, "NODEID")),
            "there is one worker for each node, and all tasks of a node take its "
            "index. Each task is a worker.",
        ),
        _mistake(
            "same_port",
            _same_port,
            "all tasks of a node have the same port, and only one of them can listen "
            "there: add the task's number on its node.",
        ),
        _mistake(
            "ports_count_on",
            _by_rank,
            "the ports count on from node to node. That would work, but the rule says: "
            "8888 for the first task of EACH node.",
        ),
        _mistake(
            "nodes_in_turn",
            _round_robin,
            "the tasks are dealt out in turn, one to each node. Slurm fills the first "
            "node, then the next.",
        ),
        _mistake(
            "local_number",
            lambda step: _text(_hosts(step.places), _number(step, "LOCALID")),
            "the index is SLURM_LOCALID. It counts from 0 on every node, so several "
            "workers have the same index. SLURM_PROCID is the number over all nodes.",
        ),
        _mistake(
            "node_number",
            lambda step: _text(_hosts(step.places), _number(step, "NODEID")),
            "the index is SLURM_NODEID, the number of the node: all its tasks have the "
            "same index. SLURM_PROCID is the number of the task.",
        ),
        _mistake(
            "always_worker_0",
            lambda step: _text(_hosts(step.places), 0),
            "the index is always 0.",
        ),
    ),
    right="Right on three steps: nodes whose order is not that of their names, one "
    "task on each, or several.",
)
