"""Notebook 06: what is done to shares of a gradient is not done to their sum."""

from course.checks.questions import TickTable
from course.lessons.n06_other_weights_with_an_option.gradient import MY_GRADIENT
from course.lessons.n06_other_weights_with_an_option.locate import (
    FIRST_MISPLACED,
    recorded_run,
)
from course.lessons.n06_other_weights_with_an_option.option_distances import (
    option_distances,
)
from course.lessons.n06_other_weights_with_an_option.own_loss import MY_LOSS
from course.lessons.n06_other_weights_with_an_option.playing import (
    shares_of_a_gradient,
)
from course.lessons.n06_other_weights_with_an_option.scaling import (
    MY_SCALED,
    ONE_LARGE,
    run_scaled,
    scaled_table,
)
from course.lessons.n06_other_weights_with_an_option.training import (
    LIMIT,
    in_fit,
)

__all__ = [
    "EXERCISES",
    "LIMIT",
    "ONE_LARGE",
    "PREDICTION",
    "in_fit",
    "option_distances",
    "recorded_run",
    "run_scaled",
    "scaled_table",
    "shares_of_a_gradient",
]

EXERCISES = (FIRST_MISPLACED, MY_GRADIENT, MY_SCALED, MY_LOSS)

PREDICTION = TickTable(
    number="06",
    question=(
        "fit runs with one option at a time, on one device and on two. With which "
        "options do two devices end with the SAME weights as one, up to rounding? "
        "(An empty box means other weights.)"
    ),
    columns=("The same weights?",),
    rows={
        "SGD(clipnorm=1.0)": (False,),
        "SGD(weight_decay=0.1)": (True,),
        "mixed_float16": (False,),
        'kernel_regularizer="l2"': (True,),
        "loss, a number per row": (True,),
        "loss, one number": (False,),
        "BatchNormalization": (False,),
    },
)
