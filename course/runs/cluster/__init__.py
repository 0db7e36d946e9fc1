"""Real clusters on 127.0.0.1: processes with deadlines, none of which outlives us."""

from course.runs.cluster.groups import run_groups
from course.runs.cluster.launcher import Cluster, run_workers
from course.runs.cluster.recording import Beat, ClusterRun, End
from course.runs.cluster.worker import note, serve

__all__ = [
    "Beat",
    "Cluster",
    "ClusterRun",
    "End",
    "note",
    "run_groups",
    "run_workers",
    "serve",
]
