"""Notebook 18: one process is lost, and with it, perhaps, the job."""

from course.checks.questions import Option, Prediction
from course.lessons.n18_job_dies_with_one_process.fall_back import MY_FALL_BACK
from course.lessons.n18_job_dies_with_one_process.fragile import MY_FRAGILE
from course.lessons.n18_job_dies_with_one_process.lost_processes import (
    with_mirrors,
    with_servers,
)
from course.lessons.n18_job_dies_with_one_process.playing import control_panel
from course.lessons.n18_job_dies_with_one_process.resumable import MY_RESUMABLE
from course.lessons.n18_job_dies_with_one_process.retryable import MY_RETRYABLE
from course.lessons.n18_job_dies_with_one_process.server_errors import errors_seen
from course.lessons.n18_job_dies_with_one_process.shared_step import MY_TRAIN
from course.lessons.n18_job_dies_with_one_process.step_counter import step_counter

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "control_panel",
    "errors_seen",
    "step_counter",
    "with_mirrors",
    "with_servers",
]

EXERCISES = (MY_FALL_BACK, MY_RESUMABLE, MY_FRAGILE, MY_RETRYABLE, MY_TRAIN)

PREDICTION = Prediction(
    number="18",
    question=(
        "Three jobs of 40 steps, and nobody starts them again. In step 28, one process "
        "is killed: (1) a worker of a parameter server, (2) the parameter server "
        "itself, (3) one of two workers that mirror the weights. Which jobs come to "
        "step 40?"
    ),
    options={
        "A": Option(
            "All three: TensorFlow goes on with the processes that are left.",
            "Only where those that are left have all that is needed. The weights of a "
            "killed server are gone, and an all-reduce needs every worker.",
        ),
        "B": Option(
            "(1) only: a worker can be missed, a server cannot, and mirrored workers "
            "need each other.",
            "The worker has no weights of its own, so another one makes its step. The "
            "server had the only weights; and an all-reduce ends when ALL have come.",
        ),
        "C": Option(
            "(1) and (3): a worker can always be missed, the server cannot.",
            "Of the mirrored workers each has all weights, but none makes a step "
            "alone: their all-reduce is over both, always.",
        ),
        "D": Option(
            "(2) and (3): the other worker has the weights, and a server that is lost "
            "is replaced by another.",
            "TensorFlow starts no server anew, and has no second copy of its weights.",
        ),
    },
    answer="B",
)
