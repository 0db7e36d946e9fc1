"""Notebook 01: rows that replicas see twice, or never; global and per-replica batch."""

from course.checks.questions import Option, Prediction
from course.lessons.n01_seen_twice_or_never.epochs import pull_inside, record_epoch
from course.lessons.n01_seen_twice_or_never.id_grid import id_grid, small_id_grids
from course.lessons.n01_seen_twice_or_never.input_function import INPUT
from course.lessons.n01_seen_twice_or_never.locate import FIRST_FAULTS
from course.lessons.n01_seen_twice_or_never.shuffled_shards import SHARDS
from course.lessons.n01_seen_twice_or_never.stages import STAGES

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "id_grid",
    "pull_inside",
    "record_epoch",
    "small_id_grids",
]

EXERCISES = (FIRST_FAULTS, STAGES, INPUT, SHARDS)

PREDICTION = Prediction(
    number="01",
    question="two_steps() runs. Which rows is replica 1 given in these two steps?",
    options={
        "A": Option(
            "2, 3, 6, 7: run splits each batch, and replica 1 gets the second half.",
            "strategy.run splits nothing: it hands its arguments on as they are. "
            "Splitting is the work of a distributed dataset.",
        ),
        "B": Option(
            "4 to 7: the replicas take the batches in turn.",
            "The loop takes one batch, and run is called once with it. No replica "
            "takes a batch for itself.",
        ),
        "C": Option(
            "0 to 7: both replicas are given every batch.",
            "run calls step once in each replica with the same argument.",
        ),
        "D": Option(
            "0 to 15: each replica reads the whole dataset.",
            "The replicas do not read the dataset. They are given what the loop hands "
            "to run: two batches here.",
        ),
    },
    answer="C",
)
