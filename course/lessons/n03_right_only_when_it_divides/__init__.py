"""Notebook 03: a mean of means is right only while the batch divides."""

from course.checks.questions import Option, Prediction
from course.lessons.n03_right_only_when_it_divides.example_bars import example_bars
from course.lessons.n03_right_only_when_it_divides.locate import FIRST_UNEQUAL
from course.lessons.n03_right_only_when_it_divides.logged_losses import (
    LOGGED_LOSSES,
    log_loss,
)
from course.lessons.n03_right_only_when_it_divides.loss import EQUAL_WEIGHTS
from course.lessons.n03_right_only_when_it_divides.losses import (
    example_weights,
    train_with_loss,
)
from course.lessons.n03_right_only_when_it_divides.playing import weights_in_an_epoch
from course.lessons.n03_right_only_when_it_divides.statistics import STATISTICS

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "example_bars",
    "example_weights",
    "log_loss",
    "train_with_loss",
    "weights_in_an_epoch",
]

EXERCISES = (FIRST_UNEQUAL, EQUAL_WEIGHTS, STATISTICS, LOGGED_LOSSES)

PREDICTION = Prediction(
    number="03",
    question=(
        "In the last step, replica 0 has row 8, and replica 1 has no row. How does "
        "this step compare with the same step on one device?"
    ),
    options={
        "A": Option(
            "An error: there is no mean of no rows.",
            "reduce_mean of no rows is no error. It is 0 / 0, NaN.",
        ),
        "B": Option(
            "The weights become NaN: replica 1's loss is 0 / 0, and the gradients are "
            "added up.",
            "Replica 1's loss is NaN, and its gradient zero: without a row, that loss "
            "does not depend on the weights.",
        ),
        "C": Option(
            "The same: replica 1 has nothing to add, and row 8 counts in full.",
            "Replica 1 has nothing to add. But the loss of replica 0 is divided by two "
            "replicas, all the same.",
        ),
        "D": Option(
            "A step half as long: row 8 counts half.",
            "Replica 1 adds a gradient of zero, and the loss of replica 0 is divided "
            "by two.",
        ),
    },
    answer="D",
)
