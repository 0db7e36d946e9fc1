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
        "11 rows, batches of 8, two replicas: the last step has rows 8 and 9 on "
        "replica 0 and row 10 on replica 1. How much does row 10 count in that step, "
        "compared with a run on one device?"
    ),
    options={
        "A": Option(
            "As much: a mean is a mean.",
            "The mean over replicas of their own means is the mean over the rows only "
            "while all replicas have the same number of rows.",
        ),
        "B": Option(
            "1.5 times as much.",
            "It is alone on its replica, so it gets the whole of that replica's half: "
            "1/2 instead of 1/3.",
        ),
        "C": Option(
            "2/3 as much.",
            "That would be a row that shares its replica with others. The lone row "
            "does not share its replica's half with anyone.",
        ),
        "D": Option(
            "Twice as much.",
            "It counts twice as much as rows 8 and 9, which get 1/4 each. Compared "
            "with its own 1/3 on one device, that is 1.5 times.",
        ),
    },
    answer="B",
)
