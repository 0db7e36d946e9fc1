"""Notebook 12: TF_CONFIGs that lead no two workers into one cluster."""

from course.checks.questions import Option, Prediction
from course.lessons.n12_cluster_never_starts.cluster_map import cluster_map
from course.lessons.n12_cluster_never_starts.cluster_starts import start_cluster
from course.lessons.n12_cluster_never_starts.diagnose import MY_DIAGNOSE
from course.lessons.n12_cluster_never_starts.entries import MY_WRONG_ENTRY
from course.lessons.n12_cluster_never_starts.port_kinds import three_ports
from course.lessons.n12_cluster_never_starts.slurm import MY_FROM_SLURM
from course.lessons.n12_cluster_never_starts.slurm_names import node_names, task_counts
from course.lessons.n12_cluster_never_starts.tf_configs import MY_TF_CONFIGS

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "cluster_map",
    "node_names",
    "start_cluster",
    "task_counts",
    "three_ports",
]

EXERCISES = (MY_WRONG_ENTRY, MY_TF_CONFIGS, MY_DIAGNOSE, MY_FROM_SLURM)

PREDICTION = Prediction(
    number="12",
    question=(
        "Two workers start with these TF_CONFIGs: the first text for worker 0, the "
        "second for worker 1. Who prints an error in the first minute?"
    ),
    options={
        "A": Option(
            "Worker 0: it can't reach worker 1.",
            "Worker 0 calls nobody when it starts. It waits until it is called, for as "
            "long as it takes.",
        ),
        "B": Option(
            "Worker 1: its list begins with another address than worker 0's.",
            "Nobody compares the lists at the start. By its own list, worker 1 is "
            "worker 0, so it waits to be called, too.",
        ),
        "C": Option(
            "Both: the two lists do not fit together.",
            "Nobody compares the lists. By its own list, each is worker 0, and that "
            "one waits until it is called.",
        ),
        "D": Option(
            "Nobody.",
            "By its own list, each is worker 0, and worker 0 waits until it is called. "
            "So both wait, and neither has an error.",
        ),
    },
    answer="D",
)
