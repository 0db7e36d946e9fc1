"""Notebook 08: an input pipeline whose reads, one at a time, starve the step."""

from course.checks.questions import Option, Prediction
from course.lessons.n08_busy_then_idle.busy_lanes import busy_lanes
from course.lessons.n08_busy_then_idle.dataset import MY_DATASET
from course.lessons.n08_busy_then_idle.fit_reads import KINDS, reads_in_fit
from course.lessons.n08_busy_then_idle.input_pipeline import (
    steps_that_waited,
    time_dataset,
    time_four_at_once,
)
from course.lessons.n08_busy_then_idle.late import MY_LATE
from course.lessons.n08_busy_then_idle.locate import MY_LIMIT
from course.lessons.n08_busy_then_idle.order import MY_ORDER
from course.lessons.n08_busy_then_idle.ordered_pieces import (
    augment,
    batched,
    decode,
    keep,
    mix,
    run_pieces,
)
from course.lessons.n08_busy_then_idle.playing import who_waits_for_whom
from course.lessons.n08_busy_then_idle.stage_spans import run_stages, spans_of

__all__ = [
    "EXERCISES",
    "KINDS",
    "PREDICTION",
    "augment",
    "batched",
    "busy_lanes",
    "decode",
    "keep",
    "mix",
    "reads_in_fit",
    "run_pieces",
    "run_stages",
    "spans_of",
    "steps_that_waited",
    "time_dataset",
    "time_four_at_once",
    "who_waits_for_whom",
]

EXERCISES = (MY_LIMIT, MY_DATASET, MY_ORDER, MY_LATE)

PREDICTION = Prediction(
    number="08",
    question=(
        "broken_dataset runs as on one core: reads of 60 ms, steps of 20 ms. Once it "
        "runs, how long does an element take, from one step's begin to the next?"
    ),
    options={
        "A": Option(
            "20 ms: four reads at a time take 15 ms each, so the step is what takes "
            "longest.",
            "It would be so if four reads went on at the same time. map may make four "
            "calls, and still they come one by one: below, you can find out why.",
        ),
        "B": Option(
            "About 35 ms: four reads in 60 ms, then four steps of 20 ms, and again.",
            "Reads and steps do not take turns: prefetch goes on reading. And there is "
            "one read at a time.",
        ),
        "C": Option(
            "60 ms: one read after the other, and the steps beside them.",
            "map may make four calls, and a read needs no core. What they lack, you "
            "can find out below.",
        ),
        "D": Option(
            "80 ms: on one core, nothing goes on at the same time.",
            "A wait needs no core: the next read goes on while the step runs, as "
            "prefetch reads ahead. But it is one read at a time.",
        ),
    },
    answer="C",
)
