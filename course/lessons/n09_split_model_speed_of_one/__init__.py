"""Notebook 09: a split model is a pipeline, and one batch does not fill it."""

from course.checks.questions import Option, Prediction
from course.lessons.n09_split_model_speed_of_one.gradients import MY_PIPELINE_GRADS
from course.lessons.n09_split_model_speed_of_one.locate import MY_FIRST_STALL
from course.lessons.n09_split_model_speed_of_one.pipeline import (
    bubble,
    forward_visits,
    predict_in_turn,
    run_in_micro_batches,
    run_pipeline,
)
from course.lessons.n09_split_model_speed_of_one.recurrent import CUTS, run_cells
from course.lessons.n09_split_model_speed_of_one.stage import MY_LAYER

__all__ = [
    "CUTS",
    "EXERCISES",
    "PREDICTION",
    "bubble",
    "forward_visits",
    "predict_in_turn",
    "run_cells",
    "run_in_micro_batches",
    "run_pipeline",
]

EXERCISES = (MY_FIRST_STALL, MY_PIPELINE_GRADS, MY_LAYER)

PREDICTION = Prediction(
    number="09",
    question=(
        "The work of a stage grows with its rows. Now the 16 rows go in as 4 "
        "micro-batches of 4 rows, which do not wait for each other. At best, how many "
        "times faster is the whole step, forward and backward, than with one batch?"
    ),
    options={
        "A": Option(
            "4 times: there are four devices.",
            "Then no device would ever wait. But the last one has nothing until the "
            "first micro-batch has passed three stages, and in the end the first ones "
            "are ready.",
        ),
        "B": Option(
            "About 2.3 times.",
            "Each direction takes 4 + 3 = 7 turns of a quarter of the length, instead "
            "of 4 whole ones: 16 / 7. The 3 turns are the filling and emptying.",
        ),
        "C": Option(
            "Not faster: each row still has to pass all stages, one by one.",
            "True for one row. But while it is in stage 1, stage 0 can have the next "
            "rows.",
        ),
        "D": Option(
            "2 times: one micro-batch goes forward while another goes backward.",
            "That happens too, but more is possible: four micro-batches can be in four "
            "stages in the same direction.",
        ),
    },
    answer="B",
)
