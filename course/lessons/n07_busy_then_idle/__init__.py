"""Notebook 07: an input pipeline whose reads, one at a time, starve the step."""

from course.checks.questions import Option, Prediction
from course.lessons.n07_busy_then_idle.dataset import MY_DATASET
from course.lessons.n07_busy_then_idle.fit_reads import KINDS, reads_in_fit
from course.lessons.n07_busy_then_idle.input_pipeline import (
    steps_that_waited,
    tell_steps,
    time_dataset,
    time_four_at_once,
    without_help,
)
from course.lessons.n07_busy_then_idle.locate import MY_LIMIT
from course.lessons.n07_busy_then_idle.order import MY_ORDER
from course.lessons.n07_busy_then_idle.ordered_pieces import (
    augment,
    batched,
    decode,
    keep,
    mix,
    run_pieces,
)
from course.lessons.n07_busy_then_idle.stage_spans import run_stages, spans_of

__all__ = [
    "EXERCISES",
    "KINDS",
    "PREDICTION",
    "augment",
    "batched",
    "decode",
    "keep",
    "mix",
    "reads_in_fit",
    "run_pieces",
    "run_stages",
    "spans_of",
    "steps_that_waited",
    "tell_steps",
    "time_dataset",
    "time_four_at_once",
    "without_help",
]

EXERCISES = (MY_LIMIT, MY_DATASET, MY_ORDER)

PREDICTION = Prediction(
    number="07",
    question=(
        "A read takes 60 ms, a step 20 ms. Once it runs, how long does an element "
        "take, from one step's begin to the next?"
    ),
    options={
        "A": Option(
            "20 ms: prefetch reads ahead, so the reading is hidden behind the steps.",
            "prefetch reads ahead, but one element after the other. A step of 20 ms "
            "cannot hide a read of 60 ms.",
        ),
        "B": Option(
            "60 ms: one read after the other, and the step at the same time.",
            "prefetch lets reading and the step go on at the same time. The slower of "
            "the two decides, and there is one read at a time.",
        ),
        "C": Option(
            "80 ms: the read, then the step. The loop asks for an element only then.",
            "The loop asks, but prefetch has its own thread: it reads the next element "
            "while the step runs.",
        ),
        "D": Option(
            "About 20 ms: AUTOTUNE starts as many reads at once as are needed.",
            "Here, AUTOTUNE chooses the size of prefetch's buffer: how many elements "
            "may be ready. It starts no more reads.",
        ),
    },
    answer="B",
)
