"""Notebook 06: placement leaves one device with all the work."""

from course.exercises import Option, Prediction
from course.lessons.n06_only_one_device_works.locate import MY_MISPLACED
from course.lessons.n06_only_one_device_works.report import MY_REPORT
from course.lessons.n06_only_one_device_works.strategies import MY_REAL_REPLICAS
from course.lessons.n06_only_one_device_works.train import MY_TRAIN

EXERCISES = (MY_MISPLACED, MY_TRAIN, MY_REPORT, MY_REAL_REPLICAS)

PREDICTION = Prediction(
    number="06",
    question=(
        "broken_train runs for three steps of 16 rows, with four devices. "
        "What comes out, compared with plain SGD on one device?"
    ),
    options={
        "A": Option(
            "An error: under a strategy, a step must go through strategy.run.",
            "No rule demands strategy.run. A mirrored variable can be read and written "
            "in the scope, outside of it. (Some calls do refuse: see Observe.)",
        ),
        "B": Option(
            "The right weights; each device computes the gradient of 4 rows.",
            "The scope decides how variables are MADE, one copy on each device. It "
            "neither splits a batch nor moves an operation to another device.",
        ),
        "C": Option(
            "Other weights: each device applies a gradient of its own.",
            "There is only one gradient here, of all 16 rows, and assign_sub in the "
            "scope gives it to all four copies.",
        ),
        "D": Option(
            "The right weights; one device computes the gradient of all 16 rows.",
            "Nothing in this code says where to compute, so TensorFlow takes the first "
            "device. Only the four copies of w are spread.",
        ),
    },
    answer="D",
)
