"""Notebook 01: rows that replicas see twice, or never; global and per-replica batch."""

from course.checks.questions import Option, Prediction
from course.lessons.n01_seen_twice_or_never.blocks import (
    BLOCKS,
    blocks_grid,
    record_blocks,
)
from course.lessons.n01_seen_twice_or_never.epochs import record_epoch
from course.lessons.n01_seen_twice_or_never.id_grid import id_grid
from course.lessons.n01_seen_twice_or_never.locate import FIRST_FAULTS
from course.lessons.n01_seen_twice_or_never.pieces import (
    batch_rows,
    batch_share,
    distribute,
    from_function,
    full_batches,
    pull_inside,
    repeat_rows,
    shard_rows,
)
from course.lessons.n01_seen_twice_or_never.shuffled_shards import SHARDS
from course.lessons.n01_seen_twice_or_never.stages import STAGES

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "batch_rows",
    "batch_share",
    "blocks_grid",
    "distribute",
    "from_function",
    "full_batches",
    "id_grid",
    "pull_inside",
    "record_blocks",
    "record_epoch",
    "repeat_rows",
    "shard_rows",
]

EXERCISES = (FIRST_FAULTS, STAGES, BLOCKS, SHARDS)

PREDICTION = Prediction(
    number="01",
    question="one_epoch() runs over rows 0 to 15. What are the two replicas given?",
    options={
        "A": Option(
            "Each row once: replica 0 the even rows, replica 1 the odd ones.",
            "make_input is not called for each replica. It is called once for each "
            "input pipeline, one process has one, and its input_pipeline_id is 0.",
        ),
        "B": Option(
            "Each row twice: nothing is split, so both replicas read all rows.",
            "No row appears twice: the replicas take the batches of one dataset in "
            "turn. But that dataset is a shard.",
        ),
        "C": Option(
            "The even rows, each once; the odd ones are never read.",
            "make_input is called once, with input_pipeline_id 0: shard 0 is all there "
            "is, and the replicas take its batches in turn.",
        ),
        "D": Option(
            "The even rows, each twice: both replicas read shard 0.",
            "Shard 0 is all that is read. But it is read once: the replicas take its "
            "batches in turn.",
        ),
    },
    answer="C",
)
