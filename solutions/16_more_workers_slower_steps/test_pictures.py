"""What this notebook draws: what a step costs when messages take longer."""

import numpy as np
import pytest
from picture_rules import picture_tests

from course.lessons.n16_more_workers_slower_steps.delayed_training import DelayedRun
from course.lessons.n16_more_workers_slower_steps.embedding_bytes import FORMS, Sent
from course.lessons.n16_more_workers_slower_steps.played_steps import (
    Circumstances,
    PlayedSteps,
    spans_of,
)
from course.lessons.n16_more_workers_slower_steps.sparse_bytes import sparse_bytes
from course.lessons.n16_more_workers_slower_steps.step_lanes import (
    describe_run,
    step_lanes,
)
from course.lessons.n16_more_workers_slower_steps.step_latency import step_latency


def delayed(label, messages, milliseconds):
    """Two workers, three steps at each of four delays; 4.4 round trips a message."""
    delays = (0.0, 0.0025, 0.005, 0.01)
    medians = [1e-3 * milliseconds + 4.4 * messages * delay for delay in delays]
    seconds = np.array(medians)[:, None, None] * np.ones((4, 2, 3))
    weights = np.zeros((2, 4))
    return DelayedRun(label, delays, seconds, (messages,) * 4, weights, weights[0])


MANY, FEW = delayed("broken_all_reduce", 16.0, 40), delayed("my_all_reduce", 1.0, 5)


def played(step, workers=2, messages=24.0, slow=False, **more):
    """Steps of so many seconds, of which 0.02 are own work, 0.1 of a slow worker."""
    circumstances = Circumstances(workers, slow=slow, **more)
    times = [
        [
            (k * step, k * step + own, (k + 1) * step)
            for k, own in enumerate(row[w] for row in circumstances.works)
        ]
        for w in range(workers)
    ]
    return PlayedSteps("broken_all_reduce", circumstances, spans_of(times), messages)


SENT = [
    Sent(form, lookups, most, 72 * most + 1000)
    for lookups in (100, 500, 1500)
    for form, most in zip(FORMS, (lookups, 5 * int(lookups**0.6), 880), strict=True)
]
PICTURES = {
    "what an embedding sends": lambda: sparse_bytes(SENT),
    "steps of two workers": lambda: step_lanes(played(0.5, delay=0.01)),
    "steps of three, and the run before": lambda: step_lanes(
        played(0.2, 3, slow=True), played(0.5, 3)
    ),
    "many messages": lambda: step_latency(MANY),
    "many messages and few": lambda: step_latency(MANY, FEW),
    "messages, nothing fixed": lambda: step_latency(
        MANY, delayed("my_all_reduce", 16.0, 41)
    ),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_the_sentence_says_what_messages_cost():
    words = PICTURES["many messages and few"]().sentence
    assert (
        "broken_all_reduce has 8 all-reduces, 16 messages a step; a step lasts 40"
        in words
    )
    assert "my_all_reduce has 1 message a step; a step lasts 5 ms without" in words


def test_the_lanes_say_what_a_step_takes_and_could_take():
    run = played(0.5, delay=0.01)
    picture = step_lanes(run)
    assert picture.sentence == (
        "broken_all_reduce, 2 workers, 12 tensors: a step takes 500 ms, with 24 "
        "messages at worker 1's link. With one all-reduce and no other cost it would "
        "take 60 ms."
    )
    assert describe_run(run).endswith("500 ms a step, ideal 60 ms, 24 messages")
    ideal = [bar for bar in picture.figure.axes[0].patches if bar.get_y() == -0.25]
    assert [bar.get_width() for bar in ideal] == pytest.approx([0.06] * 3)


@pytest.mark.parametrize(
    ("more", "ideal"),
    [
        ({"workers": 3, "delay": 0.01}, 0.02 + 8 * 0.01),
        ({"delay": 0.01, "one_link": True}, 0.02 + 2 * 0.01),
        ({"slow": True}, 0.1),
        ({"bandwidth": 9600.0}, 0.02 + 1.0),
        ({"table": [[0.1, 0.0], [0.0, 0.3]]}, 0.15),
    ],
)
def test_the_ideal_counts_own_work_turns_and_bytes(more, ideal):
    assert Circumstances(**more).ideal == pytest.approx(ideal)


def test_bad_input_gets_a_sentence():
    with pytest.raises(ValueError, match="one or two runs over the same delays"):
        step_latency()


def test_a_form_that_was_not_measured_is_refused():
    with pytest.raises(ValueError, match="was not measured"):
        sparse_bytes(SENT[:2])
