"""Notebook 11: replicas that each take a whole batch make another training."""

from course.checks.questions import TickTable
from course.lessons.n11_faster_but_less_accurate.dealing import MY_DEAL, dealt_by
from course.lessons.n11_faster_but_less_accurate.jobs import (
    QUESTIONS,
    job,
    which_of_one_device,
)
from course.lessons.n11_faster_but_less_accurate.locate import MY_SAME_TRAINING
from course.lessons.n11_faster_but_less_accurate.loss_curves import loss_curves
from course.lessons.n11_faster_but_less_accurate.normalised import train_normalised
from course.lessons.n11_faster_but_less_accurate.plan import MY_PLAN
from course.lessons.n11_faster_but_less_accurate.playing import which_training_is_it
from course.lessons.n11_faster_but_less_accurate.shared_batches import (
    Plan,
    Training,
    train_alone,
    train_planned,
)
from course.lessons.n11_faster_but_less_accurate.step_costs import Costs, measure_step
from course.lessons.n11_faster_but_less_accurate.useful import MY_USEFUL_REPLICAS
from course.pictures.tick_table import tick_table

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "QUESTIONS",
    "Costs",
    "Plan",
    "Training",
    "dealt_by",
    "job",
    "loss_curves",
    "measure_step",
    "tick_table",
    "train_alone",
    "train_normalised",
    "train_planned",
    "which_of_one_device",
    "which_training_is_it",
]

EXERCISES = (MY_SAME_TRAINING, MY_PLAN, MY_DEAL, MY_USEFUL_REPLICAS)

PREDICTION = TickTable(
    number="11",
    question=(
        "Four replicas, all 64 rows four times. Which jobs have, after every step, "
        "the weights of ONE device with batch 8, rate 0.1, the rows in order? Which "
        "those of one device with batch 32, rate 0.1? (An empty box means no.)"
    ),
    columns=QUESTIONS,
    rows={
        "8 rows each": (False, True),
        "8 rows each, rate 0.4": (False, False),
        "5, 1, 1 and 1 row": (True, False),
        "2 rows each, momentum": (True, False),
        "2 rows each, clipnorm": (False, False),
        "2 rows each, root": (False, False),
        "2 rows each, BatchNorm": (False, False),
    },
)
