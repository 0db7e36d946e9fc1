"""Notebook 11: the activations of all rows do not fit, and monitors look elsewhere."""

from course.checks.questions import Option, Prediction
from course.lessons.n11_out_of_memory.allowance import this_machine
from course.lessons.n11_out_of_memory.gradients import MY_GRADIENTS
from course.lessons.n11_out_of_memory.held_memory import HeldMemory
from course.lessons.n11_out_of_memory.locate import MY_FIRST_FAILURE
from course.lessons.n11_out_of_memory.memory_curve import memory_curve
from course.lessons.n11_out_of_memory.memory_limit import run_step
from course.lessons.n11_out_of_memory.monitor import MY_MONITOR
from course.lessons.n11_out_of_memory.plan import MY_PLAN

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "HeldMemory",
    "memory_curve",
    "run_step",
    "this_machine",
]

EXERCISES = (MY_FIRST_FAILURE, MY_GRADIENTS, MY_PLAN, MY_MONITOR)

PREDICTION = Prediction(
    number="11",
    question=(
        "The 60,000 rows are 15 MB and are there already. All weights together are 0.1 "
        "MB. The process may take 80 MB more. When does the step stop?"
    ),
    options={
        "A": Option(
            "At the first layer: its output for 60,000 rows is too large.",
            "One output is 15 MB, like the rows. That fits; the question is how many "
            "of them are kept.",
        ),
        "B": Option(
            "In the forward pass, after some layers.",
            "The tape keeps each layer's output for the backward pass: 15 MB a layer, "
            "and one more for the operation that is running.",
        ),
        "C": Option(
            "In the backward pass: forward, a layer needs only the output of the layer "
            "before.",
            "Without a tape, forward would need only that. The tape keeps every "
            "layer's output, so memory grows forward and falls backward.",
        ),
        "D": Option(
            "When the gradients come together: there is one for each of the rows.",
            "The tape gives one gradient for each weight, as large as the weight: 0.1 "
            "MB in all, however many rows there are.",
        ),
    },
    answer="B",
)
