"""Notebook 02: missing or wrong gradient aggregation lets replicas drift apart."""

from course.checks.questions import Option, Prediction
from course.lessons.n02_replicas_drift_apart.alike import (
    ALIKE,
    train_on_first_shards,
)
from course.lessons.n02_replicas_drift_apart.divergence import divergence
from course.lessons.n02_replicas_drift_apart.even_shards import EVEN
from course.lessons.n02_replicas_drift_apart.float_noise import float_noise
from course.lessons.n02_replicas_drift_apart.locate import FIRST_DRIFT
from course.lessons.n02_replicas_drift_apart.not_finite import NOT_FINITE
from course.lessons.n02_replicas_drift_apart.playing import paths_of_copies
from course.lessons.n02_replicas_drift_apart.weights_plane import weights_plane

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "divergence",
    "float_noise",
    "paths_of_copies",
    "train_on_first_shards",
    "weights_plane",
]

EXERCISES = (FIRST_DRIFT, EVEN, ALIKE, NOT_FINITE)

PREDICTION = Prediction(
    number="02",
    question=(
        "broken_step runs for ten steps on four replicas, each on its own rows. Then "
        'strategy.reduce("MEAN", w, axis=None) is printed. What does it show?'
    ),
    options={
        "A": Option(
            "The mean of the four copies, which have become different.",
            "They have become different, but no mean is taken: w is a mirrored "
            "variable, so TensorFlow takes it for granted that its copies agree, and "
            "returns one of them.",
        ),
        "B": Option(
            "Nothing, but an error: reduce takes what run has returned, not a "
            "variable.",
            "It takes a mirrored variable, too. But no mean is taken: TensorFlow takes "
            "it for granted that the copies agree, and returns one of them.",
        ),
        "C": Option(
            "The copy of replica 0; the other three copies are different.",
            "TensorFlow takes it for granted that the copies of a mirrored variable "
            "agree, and returns one of them.",
        ),
        "D": Option(
            "What all four copies hold: TensorFlow adds up what replicas write to w.",
            "Mirroring makes one copy for each replica and starts them equal. Each "
            "later write in strategy.run changes one copy only.",
        ),
    },
    answer="C",
)
