"""Notebook 10: a split model is a pipeline, and one batch does not fill it."""

from course.checks.questions import Option, Prediction
from course.lessons.n10_split_model_speed_of_one.gradients import MY_PIPELINE_GRADS
from course.lessons.n10_split_model_speed_of_one.locate import MY_FIRST_STALL
from course.lessons.n10_split_model_speed_of_one.pipeline import (
    forward_visits,
    run_ordinary_layers,
    run_pipeline,
)
from course.lessons.n10_split_model_speed_of_one.playing import fill_the_pipeline
from course.lessons.n10_split_model_speed_of_one.stage import MY_LAYER
from course.lessons.n10_split_model_speed_of_one.stalled import MY_STALLED_GRADS

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "fill_the_pipeline",
    "forward_visits",
    "run_ordinary_layers",
    "run_pipeline",
]

EXERCISES = (MY_FIRST_STALL, MY_PIPELINE_GRADS, MY_LAYER, MY_STALLED_GRADS)

PREDICTION = Prediction(
    number="10",
    question=(
        "broken_pipeline_grads runs one step in a tf.function. Forward, each layer "
        "works on its own device, one after the other. Where, and when, do the layers "
        "work in the backward pass?"
    ),
    options={
        "A": Option(
            "Each on its own device, one after the other, from the last to the first.",
            "The order is right. But the tape has recorded operations, not where they "
            "ran: those of the backward pass ask for no device, and TensorFlow takes "
            "the first one.",
        ),
        "B": Option(
            "Each on its own device, all four at the same time: all inputs and outputs "
            "are there by now.",
            "They are there, but a layer also needs the gradient of the layer after "
            "it, so one works at a time. And the backward pass asks for no device: it "
            "is done on the first one.",
        ),
        "C": Option(
            "All on the first device, one after the other.",
            "The tape has recorded operations, not where they ran. Those of the "
            "backward pass ask for what surrounds tape.gradient: here for no device, "
            "and TensorFlow takes the first one.",
        ),
        "D": Option(
            "All on the last device, one after the other: there the loss is, from "
            "which the gradients come.",
            "The loss is computed outside of any tf.device, as is the gradient: both "
            "ask for no device, and TensorFlow takes the first one.",
        ),
    },
    answer="C",
)
