"""Notebook 10: replicas that each take a whole batch make another training."""

from course.checks.questions import Option, Prediction
from course.lessons.n10_faster_but_less_accurate.locate import MY_SAME_TRAINING
from course.lessons.n10_faster_but_less_accurate.loss_curves import loss_curves
from course.lessons.n10_faster_but_less_accurate.plan import MY_PLAN
from course.lessons.n10_faster_but_less_accurate.rates import MY_RATES
from course.lessons.n10_faster_but_less_accurate.shared_batches import (
    Training,
    train_alone,
    train_planned,
)
from course.lessons.n10_faster_but_less_accurate.step_costs import Costs, measure_step
from course.lessons.n10_faster_but_less_accurate.useful import MY_USEFUL_REPLICAS

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "Costs",
    "Training",
    "loss_curves",
    "measure_step",
    "train_alone",
    "train_planned",
]

EXERCISES = (MY_SAME_TRAINING, MY_PLAN, MY_RATES, MY_USEFUL_REPLICAS)

PREDICTION = Prediction(
    number="10",
    question=(
        "Four replicas train as broken_plan says. The loss is drawn over the number of "
        "examples seen: where does it lie?"
    ),
    options={
        "A": Option(
            "On the curve of one device with batch 8, stretched: the same steps, but a "
            "quarter as many.",
            "A step goes along the mean gradient of all its 32 rows, not of the "
            "first 8. So it is not one of the steps of batch 8.",
        ),
        "B": Option(
            "On the curve of one device with batch 32, exactly.",
            "A step takes 4 x 8 rows, and its gradient is their mean: that is batch "
            "32. Nothing is broken; it is another training, with a quarter of the "
            "steps.",
        ),
        "C": Option(
            "Between the two: the mean of four gradients of 8 rows has less noise.",
            "The mean of four means of 8 rows each IS the mean of 32 rows. There is "
            "nothing in between.",
        ),
        "D": Option(
            "On no curve of one device: in parallel, results are always a little off.",
            "With a right all-reduce, replicas differ from one device by rounding "
            "only, about 1e-7.",
        ),
    },
    answer="B",
)
