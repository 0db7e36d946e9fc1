"""Notebook 16: a worker waits for others that will never come."""

from course.checks.questions import Option, Prediction
from course.lessons.n16_training_hangs.epoch import MY_EPOCH
from course.lessons.n16_training_hangs.mismatch import MY_FIRST_MISMATCH
from course.lessons.n16_training_hangs.odd_call import MY_FIRST_ODD
from course.lessons.n16_training_hangs.ready_order import MY_SUMS
from course.lessons.n16_training_hangs.uneven_epoch import parts_of, train_uneven
from course.lessons.n16_training_hangs.worker_lanes import worker_lanes

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "parts_of",
    "train_uneven",
    "worker_lanes",
]

EXERCISES = (MY_FIRST_ODD, MY_EPOCH, MY_SUMS, MY_FIRST_MISMATCH)

PREDICTION = Prediction(
    number="16",
    question=(
        "Workers 0 and 2 have rows for 5 steps, worker 1 for 4. Worker 1 leaves its "
        "loop and goes on, to write a report; its process lives. What do workers 0 "
        "and 2 do in step 5, in the next minute?"
    ),
    options={
        "A": Option(
            "They make step 5 together: the sum is over those who take part.",
            "A collective is over ALL workers of the cluster, always. Nobody can leave "
            "it out.",
        ),
        "B": Option(
            "They stop with an error that names worker 1.",
            "TensorFlow asks whether the other processes still answer, and worker 1 "
            "does. That it is elsewhere in its program, nobody looks at.",
        ),
        "C": Option(
            "They wait, without a message.",
            "Both stand in the all-reduce of step 5 until worker 1 comes, and it "
            "never does.",
        ),
        "D": Option(
            "They make step 5: worker 1 takes part without rows, by itself.",
            "So it would be with a dataset that the strategy distributes. Here the "
            "loop is our own, and worker 1 has left it.",
        ),
    },
    answer="C",
)
