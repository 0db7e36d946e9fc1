"""Notebook 02: missing or wrong gradient aggregation lets replicas drift apart."""

from course.checks.questions import Option, Prediction
from course.lessons.n02_replicas_drift_apart.divergence import divergence
from course.lessons.n02_replicas_drift_apart.even_shards import EVEN
from course.lessons.n02_replicas_drift_apart.float_noise import float_noise
from course.lessons.n02_replicas_drift_apart.locate import FIRST_DRIFT
from course.lessons.n02_replicas_drift_apart.not_finite import NOT_FINITE
from course.lessons.n02_replicas_drift_apart.uneven_shards import UNEVEN
from course.lessons.n02_replicas_drift_apart.weights_plane import weights_plane

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "divergence",
    "float_noise",
    "weights_plane",
]

EXERCISES = (FIRST_DRIFT, EVEN, UNEVEN, NOT_FINITE)

PREDICTION = Prediction(
    number="02",
    question=(
        "broken_step runs for ten steps on four replicas, each on its own rows. "
        "What are the four copies of w afterwards?"
    ),
    options={
        "A": Option(
            "Equal: w is a mirrored variable, so TensorFlow keeps its copies equal.",
            "Mirroring makes one copy per replica and starts them equal. Each later "
            "write inside strategy.run changes one copy only.",
        ),
        "B": Option(
            "Equal, but not the sequential weights: the last replica to write wins.",
            "There is no shared storage to win: each replica writes its own copy.",
        ),
        "C": Option(
            "Four different pairs of weights, and no error.",
            "Each replica follows the gradient of its own rows, and nothing in "
            "TensorFlow compares the copies.",
        ),
        "D": Option(
            "None: TensorFlow raises an error, as the gradients were not combined.",
            "No rule demands an all-reduce: a replica may write its own copy.",
        ),
    },
    answer="C",
)
