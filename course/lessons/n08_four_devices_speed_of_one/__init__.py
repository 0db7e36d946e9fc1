"""Notebook 08: eager steps, new traces and host reads keep devices waiting."""

from course.checks.questions import Option, Prediction
from course.lessons.n08_four_devices_speed_of_one.blocker import MY_BLOCKER
from course.lessons.n08_four_devices_speed_of_one.job_events import run_job
from course.lessons.n08_four_devices_speed_of_one.logger import MY_LOG
from course.lessons.n08_four_devices_speed_of_one.profiles import MY_COUNTS
from course.lessons.n08_four_devices_speed_of_one.step_training import (
    replicas_at_once,
    time_training,
)
from course.lessons.n08_four_devices_speed_of_one.train import MY_TRAIN
from course.lessons.n08_four_devices_speed_of_one.uneven_job import profiled

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "profiled",
    "replicas_at_once",
    "run_job",
    "time_training",
]

EXERCISES = (MY_BLOCKER, MY_TRAIN, MY_LOG, MY_COUNTS)

PREDICTION = Prediction(
    number="08",
    question=(
        "broken_train runs for three steps on four devices. In each replica, step "
        "waits 0.1 s: that is its work. When do the replicas work?"
    ),
    options={
        "A": Option(
            "All four at the same time, about 0.1 s a step: that is what strategy.run "
            "is for.",
            "strategy.run decides where each replica computes. Called eagerly, as "
            "here, it goes to the next replica only when the code of the one before "
            "has run.",
        ),
        "B": Option(
            "In turn in the first step, which builds what is needed; then all four at "
            "the same time.",
            "Nothing is built here: without a graph, TensorFlow runs the Python code "
            "of every replica anew in every step, and every step is like the first.",
        ),
        "C": Option(
            "In turn, as float(loss) makes each step wait. Without that line they "
            "would work at the same time.",
            "They do work in turn, but not for that reason: float(loss) comes when a "
            "step is over. The next cell runs the loop without it.",
        ),
        "D": Option(
            "In turn in every step, about 0.4 s a step; float(loss) has no part in it.",
            "strategy.run, called eagerly, goes from replica to replica: it runs the "
            "Python code of one until that waits for the others, then that of the "
            "next.",
        ),
    },
    answer="D",
)
