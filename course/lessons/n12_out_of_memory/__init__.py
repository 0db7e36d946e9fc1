"""Notebook 12: the activations of all rows do not fit, and monitors look elsewhere."""

from course.checks.questions import TickTable
from course.lessons.n12_out_of_memory.epoch_curve import epoch_curve
from course.lessons.n12_out_of_memory.epoch_memory import run_epochs
from course.lessons.n12_out_of_memory.epochs import MY_EPOCHS
from course.lessons.n12_out_of_memory.gradients import MY_GRADIENTS
from course.lessons.n12_out_of_memory.held_memory import HeldMemory
from course.lessons.n12_out_of_memory.hidden_peak import MY_HIDDEN_PEAK
from course.lessons.n12_out_of_memory.locate import MY_FIRST_FAILURE
from course.lessons.n12_out_of_memory.memory_curve import memory_curve
from course.lessons.n12_out_of_memory.memory_limit import make_ready, run_step
from course.lessons.n12_out_of_memory.monitor import MY_MONITOR
from course.lessons.n12_out_of_memory.own_process import print_limited
from course.lessons.n12_out_of_memory.playing import memory_of_a_step
from course.pictures.tick_table import tick_table

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "QUESTION",
    "HeldMemory",
    "epoch_curve",
    "make_ready",
    "memory_curve",
    "memory_of_a_step",
    "print_limited",
    "run_epochs",
    "run_step",
    "tick_table",
]

EXERCISES = (MY_FIRST_FAILURE, MY_GRADIENTS, MY_HIDDEN_PEAK, MY_MONITOR, MY_EPOCHS)

QUESTION = ("runs to the end?",)

PREDICTION = TickTable(
    number="12",
    question=(
        "broken_gradients stops with 60,000 rows, because its process may take only "
        "80 MB more. Which of these steps run to the end with the same rows and the "
        "same limit? (An empty box means no.)"
    ),
    columns=QUESTION,
    rows={
        "no_tape": (True,),
        "no_gradient": (False,),
        "last_gradient": (False,),
        "watched(-1)": (True,),
        "watched(0)": (False,),
    },
)
