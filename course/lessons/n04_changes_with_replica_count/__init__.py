"""Notebook 04: random numbers that depend on the number of replicas."""

from course.checks.questions import TickTable
from course.lessons.n04_changes_with_replica_count.dropout_masks import draw_masks
from course.lessons.n04_changes_with_replica_count.generators import GENERATORS
from course.lessons.n04_changes_with_replica_count.locate import FIRST_SHARED
from course.lessons.n04_changes_with_replica_count.mask import MASK
from course.lessons.n04_changes_with_replica_count.mask_stripes import mask_stripes
from course.lessons.n04_changes_with_replica_count.playing import (
    which_rows_share_a_mask,
)
from course.lessons.n04_changes_with_replica_count.random_sources import (
    QUESTIONS,
    observe_sources,
)
from course.lessons.n04_changes_with_replica_count.repeats import REPEATS
from course.pictures.tick_table import tick_table

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "QUESTIONS",
    "draw_masks",
    "mask_stripes",
    "observe_sources",
    "tick_table",
    "which_rows_share_a_mask",
]

EXERCISES = (FIRST_SHARED, MASK, REPEATS, GENERATORS)

PREDICTION = TickTable(
    number="04",
    question=(
        "Each source is called once in every replica, in three steps of one "
        "tf.function. Tick what you expect: do all replicas get the same numbers in a "
        "step? Are the numbers new at each step? (An empty box means no.)"
    ),
    columns=QUESTIONS,
    rows={
        "tf.random": (False, True),
        "tf.random, seed=7": (True, True),
        "stateless, seed=[7, 7]": (True, False),
        "tf.random.Generator": (False, True),
        "Keras Dropout": (True, True),
        "np.random": (False, False),
    },
)
