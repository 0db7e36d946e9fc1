"""Notebook 06: placement leaves one device with all the work."""

from course.checks.questions import Option, Prediction
from course.lessons.n06_only_one_device_works.device_rows import device_rows
from course.lessons.n06_only_one_device_works.locate import MY_MISPLACED
from course.lessons.n06_only_one_device_works.placed_training import train_placed
from course.lessons.n06_only_one_device_works.report import MY_REPORT
from course.lessons.n06_only_one_device_works.strategies import MY_REAL_REPLICAS
from course.lessons.n06_only_one_device_works.train import MY_TRAIN

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "device_rows",
    "train_placed",
]

EXERCISES = (MY_MISPLACED, MY_TRAIN, MY_REPORT, MY_REAL_REPLICAS)

PREDICTION = Prediction(
    number="06",
    question=(
        "broken_train runs for three steps of 16 rows, with four devices. "
        "What comes out, compared with plain SGD on one device?"
    ),
    options={
        "A": Option(
            "An error: in a replica, only the replica's own device may be used.",
            "Any device may be asked for, anywhere. TensorFlow even accepts devices "
            "that do not exist.",
        ),
        "B": Option(
            "Other weights: four replicas share CPU:0, and update one copy there.",
            "Each replica still has its own copy of w, on its own device, and all "
            "apply the same mean gradient. Only the place of the work has changed.",
        ),
        "C": Option(
            "The right weights; one device computes all gradients.",
            "tf.device in the code of a replica overrides the device of the replica. "
            "All four gradients are computed on CPU:0, and nothing in the result "
            "shows it.",
        ),
        "D": Option(
            "The right weights; each device computes a gradient, as strategy.run "
            "decides where a replica runs.",
            "strategy.run only puts a tf.device block of its own around the call. The "
            "innermost block wins, and that is the one in replica_step.",
        ),
    },
    answer="C",
)
