"""Notebook 16: steps that wait for messages, and for the slowest worker."""

from course.checks.questions import Option, Prediction
from course.lessons.n16_more_workers_slower_steps.accumulate import MY_ACCUMULATE
from course.lessons.n16_more_workers_slower_steps.cheapest import MY_CHEAPEST
from course.lessons.n16_more_workers_slower_steps.delayed_training import train_delayed
from course.lessons.n16_more_workers_slower_steps.embedding_bytes import (
    send_embedding,
)
from course.lessons.n16_more_workers_slower_steps.packing import MY_ALL_REDUCE
from course.lessons.n16_more_workers_slower_steps.played_steps import (
    Circumstances,
    play_steps,
)
from course.lessons.n16_more_workers_slower_steps.playing import steps_over_links
from course.lessons.n16_more_workers_slower_steps.slow_one import MY_SLOW_ONE
from course.lessons.n16_more_workers_slower_steps.sparse_bytes import sparse_bytes
from course.lessons.n16_more_workers_slower_steps.step_lanes import step_lanes
from course.lessons.n16_more_workers_slower_steps.step_latency import step_latency
from course.lessons.n16_more_workers_slower_steps.timed_steps import time_workers
from course.lessons.n16_more_workers_slower_steps.turns import MY_TURNS

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "Circumstances",
    "play_steps",
    "send_embedding",
    "sparse_bytes",
    "step_lanes",
    "step_latency",
    "steps_over_links",
    "time_workers",
    "train_delayed",
]

EXERCISES = (MY_SLOW_ONE, MY_ALL_REDUCE, MY_ACCUMULATE, MY_TURNS, MY_CHEAPEST)

PREDICTION = Prediction(
    number="16",
    question=(
        "Two real workers train a model of 12 tensors, 10 kB in all, with this "
        "function. Here an all-reduce needs two messages from worker 1, one after the "
        "other. The links now delay every byte by 10 ms, one way. How many messages "
        "does a training step need, and for how many does it wait?"
    ),
    options={
        "A": Option(
            "2 messages: inside a tf.function, TensorFlow packs all gradients of a "
            "step into one all-reduce.",
            "It packs the tensors of ONE call of all_reduce. Separate calls stay "
            "separate all-reduces.",
        ),
        "B": Option(
            "24 messages; the 12 all-reduces run at the same time, so the step waits "
            "about as long as for one.",
            "All workers must make their all-reduces in the same order, so each makes "
            "them one after the other: the next one starts when the last one is done.",
        ),
        "C": Option(
            "24 messages; the 12 all-reduces run one after the other, so the step "
            "waits about 12 times as long as for one.",
            "Every call is a separate all-reduce. All workers must make them in the "
            "same order, so TensorFlow starts one when the one before is done.",
        ),
        "D": Option(
            "24 messages, but 10 kB are nothing for a network: the step hardly takes "
            "longer than without delay.",
            "Size matters for bandwidth. But every message pays the delay, even a "
            "small one.",
        ),
    },
    answer="C",
)
