"""Notebook 07: placement leaves one device with all the work."""

from course.checks.questions import Option, Prediction
from course.lessons.n07_only_one_device_works.device_rows import device_rows
from course.lessons.n07_only_one_device_works.locate import MY_MISPLACED
from course.lessons.n07_only_one_device_works.lopsided import MY_LOPSIDED
from course.lessons.n07_only_one_device_works.placed_training import train_placed
from course.lessons.n07_only_one_device_works.playing import who_multiplies
from course.lessons.n07_only_one_device_works.report import MY_REPORT
from course.lessons.n07_only_one_device_works.train import MY_TRAIN

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "device_rows",
    "train_placed",
    "who_multiplies",
]

EXERCISES = (MY_MISPLACED, MY_TRAIN, MY_REPORT, MY_LOPSIDED)

PREDICTION = Prediction(
    number="07",
    question=(
        "One step of broken_train: a batch of 16 rows, four devices. How many rows are "
        "multiplied forward, and where?"
    ),
    options={
        "A": Option(
            "16 in all, 4 on each device.",
            "It does neither. strategy.run does not split what it is given. And its "
            "request for the replica's device is overridden by the one in "
            "replica_step.",
        ),
        "B": Option(
            "16 in all, on CPU:0.",
            "The place is right. But strategy.run does not cut a tensor into shares "
            "of 4: each replica gets all 16 rows.",
        ),
        "C": Option(
            "64 in all, 16 on each device.",
            "The number is right, as strategy.run does not split a tensor. But the "
            "innermost tf.device counts, and that one asks for CPU:0.",
        ),
        "D": Option(
            "64 in all, on CPU:0.",
            "strategy.run does not split a tensor, so each replica gets all 16 rows. "
            "And the innermost tf.device counts, which asks for CPU:0.",
        ),
    },
    answer="D",
)
