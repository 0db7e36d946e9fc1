"""Notebook 20: TODO(room): one sentence on the failure that this notebook is about."""

from course.checks.questions import Option, Prediction
from course.lessons.n20_hangs_when_it_saves.each_replica import (
    each_replica,
)
from course.lessons.n20_hangs_when_it_saves.total import (
    MY_TOTAL,
    totals,
)

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "each_replica",
    "totals",
]

EXERCISES = (MY_TOTAL,)

# TODO(room): the question before the run; each wrong option is a common idea
PREDICTION = Prediction(
    number="20",
    question=(
        "Replica 0 holds 1, 2 and 3, replica 1 holds 7 and 8. Each runs broken_total. "
        "What does it return?"
    ),
    options={
        "A": Option(
            "21 on both: a strategy runs one program on all numbers.",
            "strategy.run gives each replica its own numbers; nothing adds them up.",
        ),
        "B": Option(
            "6 on replica 0 and 15 on replica 1.",
            "Each adds up what it holds. Nothing was asked of the other one.",
        ),
        "C": Option(
            "10.5 on both: TensorFlow returns the mean over the replicas.",
            "strategy.run returns what each replica returned, one value for each.",
        ),
        "D": Option(
            "None: TensorFlow raises an error, as the replicas disagree.",
            "TensorFlow compares no values of replicas.",
        ),
    },
    answer="B",
)
