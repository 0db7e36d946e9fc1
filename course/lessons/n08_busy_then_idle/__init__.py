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
        "The process may use one CPU core. A read waits 60 ms, a step 20 ms. Once the "
        "first steps are over: how much time passes from the begin of one step to the "
        "begin of the next?"
    ),
    options={
        "A": Option(
            "20 ms: four reads run at the same time, or one in 15 ms, so the step "
            "is slower.",
            "That would be right if four reads ran at the same time. map may make four "
            "calls, but the reads run one by one. You can find out why below.",
        ),
        "B": Option(
            "About 35 ms: four reads in 60 ms, then four steps of 20 ms, and so on.",
            "Reads and steps do not take turns, because prefetch reads during the "
            "steps. And only one read runs at a time.",
        ),
        "C": Option(
            "60 ms: one read after the other, with a step during each read.",
            "map may make four calls, and a read needs no core. You can find out below "
            "what the calls lack.",
        ),
        "D": Option(
            "80 ms: on one core, a read and a step never run at the same time.",
            "A wait needs no core, so the next read runs during the step: prefetch "
            "reads ahead. But only one read runs at a time.",
        ),
    },
    answer="C",
)
