"""Notebook 14: workers that agree with each other, on the wrong rows."""

from course.checks.questions import TickTable
from course.lessons.n14_identical_on_every_worker.data_service import read_from_service
from course.lessons.n14_identical_on_every_worker.dataset import MY_DATASET
from course.lessons.n14_identical_on_every_worker.first_wrong import MY_FIRST_WRONG
from course.lessons.n14_identical_on_every_worker.playing import who_reads_which_row
from course.lessons.n14_identical_on_every_worker.record_files import Shard
from course.lessons.n14_identical_on_every_worker.shard_files import MY_VALIDATE_SHARD
from course.lessons.n14_identical_on_every_worker.waste import MY_WASTE
from course.lessons.n14_identical_on_every_worker.ways import QUESTIONS, observe_ways
from course.lessons.n14_identical_on_every_worker.who_read import who_read
from course.lessons.n14_identical_on_every_worker.worker_training import train_workers
from course.pictures.tick_table import tick_table

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "QUESTIONS",
    "Shard",
    "observe_ways",
    "read_from_service",
    "tick_table",
    "train_workers",
    "who_read",
    "who_reads_which_row",
]

EXERCISES = (MY_FIRST_WRONG, MY_DATASET, MY_VALIDATE_SHARD, MY_WASTE)

PREDICTION = TickTable(
    number="14",
    question=(
        "Two workers train together for three epochs, in each of the six ways. Over "
        "both workers, is each row read once an epoch? And are the weights those of "
        "one device after every step? (An empty box means no.)"
    ),
    columns=QUESTIONS,
    rows={
        "function, as above": (False, False),
        "function, own rows, shuffled": (True, False),
        "policy OFF": (False, False),
        "policy FILE": (True, False),
        "policy DATA": (True, True),
        "policy DATA, own seeds": (False, False),
    },
)
