"""Further exercise: from Slurm's variables to a TF_CONFIG."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.failures import WrongReturn
from course.lessons.n13_cluster_never_starts.slurm_names import node_names, task_counts
from course.lessons.n13_cluster_never_starts.wrong_slurm import MISTAKES, right


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


def observation(step: Step, text: object) -> Observation:
    """Read a TF_CONFIG: its index, how many addresses, the node and port of each.

    Raises:
        WrongReturn: it is no TF_CONFIG with a list of workers.
    """
    wanted = "a TF_CONFIG: JSON text with a cluster of workers and a task"
    try:
        config = json.loads(text)
        hosts, task = config["cluster"]["worker"], config["task"]
        index = float(task["index"]) if task["type"] == "worker" else -1.0
        pairs = [str(host).rpartition(":")[::2] for host in hosts]
    except (TypeError, ValueError, KeyError, AttributeError):
        raise WrongReturn.of(text, wanted) from None
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


def _observe(function: Callable, step: Step) -> Observation:
    return observation(step, function(step.environ))


MY_FROM_SLURM = Exercise(
    name="13/my_from_slurm",
    cases=draw,
    observe=_observe,
    expect=lambda step: _observe(right, step),
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Right for three job steps: with one task on a node or several, and with "
    "nodes that are not in the order of their names.",
)
