"""Notebook 11: the activations of all rows do not fit, and monitors look elsewhere."""

from course.exercises import Option, Prediction
from course.lessons.n11_out_of_memory.gradients import MY_GRADIENTS
from course.lessons.n11_out_of_memory.locate import MY_FIRST_FAILURE
from course.lessons.n11_out_of_memory.monitor import MY_MONITOR
from course.lessons.n11_out_of_memory.plan import MY_PLAN

EXERCISES = (MY_FIRST_FAILURE, MY_GRADIENTS, MY_PLAN, MY_MONITOR)

PREDICTION = Prediction(
    number="11",
    question=(
        "The 60,000 rows are 15 MB and are there already. The weights are 0.1 MB. The "
        "process may take 80 MB more. What does the step do?"
    ),
    options={
        "A": Option(
            "It ends well: the rows and the weights together are far below 80 MB.",
            "Rows and weights are not what fills the memory: it is what the layers "
            "compute from the rows, and the tape keeps it.",
        ),
        "B": Option(
            "It fails in the forward pass, before the loss is known.",
            "The tape keeps each layer's output for the backward pass: 15 MB a layer, "
            "and one more for the operation that is running.",
        ),
        "C": Option(
            "It fails in the backward pass: forward, one layer needs only the output "
            "of the layer before.",
            "Without a tape, forward would need only that. The tape keeps every "
            "layer's output, so memory grows forward and falls backward.",
        ),
        "D": Option(
            "The system ends the whole process, and no error can be caught.",
            "That is how a container's limit ends a process. Here, TensorFlow's own "
            "allocator was refused, and it raised an error that can be caught.",
        ),
    },
    answer="B",
)
