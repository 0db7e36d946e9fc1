"""Notebook 13: workers that agree with each other, on the wrong rows."""

from course.checks.questions import Option, Prediction
from course.lessons.n13_identical_on_every_worker.data_service import read_from_service
from course.lessons.n13_identical_on_every_worker.dataset import MY_DATASET
from course.lessons.n13_identical_on_every_worker.record_files import Shard
from course.lessons.n13_identical_on_every_worker.repeats import MY_FIRST_REPEAT
from course.lessons.n13_identical_on_every_worker.shard_files import MY_VALIDATE_SHARD
from course.lessons.n13_identical_on_every_worker.vocabulary import MY_VOCABULARY
from course.lessons.n13_identical_on_every_worker.worker_files import read_files
from course.lessons.n13_identical_on_every_worker.worker_reads import worker_reads
from course.lessons.n13_identical_on_every_worker.worker_training import train_workers

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "Shard",
    "read_files",
    "read_from_service",
    "train_workers",
    "worker_reads",
]

EXERCISES = (MY_FIRST_REPEAT, MY_DATASET, MY_VALIDATE_SHARD, MY_VOCABULARY)

PREDICTION = Prediction(
    number="13",
    question=(
        "Two real workers train with this function, as input of "
        "MultiWorkerMirroredStrategy; the strategy sums gradients over both. w0 and w1 "
        "are the weights on the two workers, s those of one device with the whole "
        "batch. How do they compare after each of 18 steps?"
    ),
    options={
        "A": Option(
            "w0 = w1 = s: the strategy gives each worker its own rows.",
            "It does so for a dataset that it distributes itself. What a function "
            "returns to distribute_datasets_from_function, it leaves as it is.",
        ),
        "B": Option(
            "w0 = w1 = s: the mean of two equal gradients is that gradient.",
            "It is the gradient of 4 rows, though, and one device took 8: equal "
            "workers add nothing to a batch.",
        ),
        "C": Option(
            "w0 = w1, but both differ from s.",
            "Every worker applies the same sum, so they always agree; which rows the "
            "sum is made of, nobody compares.",
        ),
        "D": Option(
            "w0 and w1 differ from each other, and from s.",
            "Workers start equal and apply the same summed gradient, so they can't "
            "come apart, whatever they read.",
        ),
    },
    answer="C",
)
