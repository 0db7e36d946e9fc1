"""Notebook 13: TF_CONFIGs with which two processes do not become one cluster."""

from course.checks.questions import TickTable
from course.kernels.siblings import make_ready
from course.lessons.n13_cluster_never_starts.cluster_map import cluster_map
from course.lessons.n13_cluster_never_starts.cluster_starts import start_cluster
from course.lessons.n13_cluster_never_starts.late_error import MY_LATE_ERROR
from course.lessons.n13_cluster_never_starts.missing_call import MY_MISSING_CALL
from course.lessons.n13_cluster_never_starts.playing import who_waits_for_whom
from course.lessons.n13_cluster_never_starts.slurm import MY_FROM_SLURM
from course.lessons.n13_cluster_never_starts.slurm_names import node_names, task_counts
from course.lessons.n13_cluster_never_starts.tf_config import MY_TF_CONFIG
from course.lessons.n13_cluster_never_starts.ways import QUESTIONS, WAYS, observe_ways
from course.lessons.n13_cluster_never_starts.written import texts_of
from course.pictures.tick_table import tick_table

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "QUESTIONS",
    "cluster_map",
    "make_ready",
    "node_names",
    "observe_ways",
    "start_cluster",
    "task_counts",
    "texts_of",
    "tick_table",
    "who_waits_for_whom",
]

EXERCISES = (MY_MISSING_CALL, MY_TF_CONFIG, MY_LATE_ERROR, MY_FROM_SLURM)

PREDICTION = TickTable(
    number="13",
    question=(
        "Processes A and B start with each of these pairs of TF_CONFIGs and train one "
        "step, together if they can. Does A or B get an error in the first minute? "
        "Does A or B finish the step? (An empty box means no.)"
    ),
    columns=QUESTIONS,
    rows=WAYS,
)
