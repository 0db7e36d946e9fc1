"""Several small clusters at the same time, whose workers know only their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from course.runs.cluster.launcher import Cluster
from course.runs.cluster.recording import ClusterRun


def run_groups(
    works: Sequence[Callable[[], object]],
    workers: Sequence[int],
    seconds: float | None = None,
) -> list[ClusterRun]:
    """Run each function in workers of its own, and wait for them all.

    Args:
        works: what each group runs.
        workers: how many each group has.
        seconds: of processor time that one of them may use; the launcher's by default.

    Returns:
        What each group did; its workers are counted from 0.
    """
    with Cluster({"worker": sum(workers)}, seconds=seconds) as cluster:
        free = iter(cluster.configs)
        groups = [[next(free) for _ in range(many)] for many in workers]
        hosts = dict(zip(cluster.configs, cluster.hosts["worker"], strict=True))
        for work, names in zip(works, groups, strict=True):
            own = {"worker": [hosts[name] for name in names]}
            configs = {
                name: json.dumps(
                    {"cluster": own, "task": {"type": "worker", "index": k}}
                )
                for k, name in enumerate(names)
            }
            cluster.start(work, only=names, configs=configs)
        run = cluster.join()
    return [_counted_anew(run, names) for names in groups]


def _counted_anew(run: ClusterRun, names: Sequence[str]) -> ClusterRun:
    ends = (replace(run[name], name=f"worker {k}") for k, name in enumerate(names))
    return ClusterRun(tuple(ends), run.seconds)
