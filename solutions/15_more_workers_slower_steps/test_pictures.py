"""What this notebook draws: what a step costs when messages take longer."""

import numpy as np
import pytest
from picture_rules import picture_tests

from course.lessons.n15_more_workers_slower_steps.delayed_training import DelayedRun
from course.lessons.n15_more_workers_slower_steps.step_latency import step_latency


def delayed(label, messages, milliseconds):
    """Two workers, three steps at each of four delays; 4.4 round trips a message."""
    delays = (0.0, 0.0025, 0.005, 0.01)
    medians = [1e-3 * milliseconds + 4.4 * messages * delay for delay in delays]
    seconds = np.array(medians)[:, None, None] * np.ones((4, 2, 3))
    weights = np.zeros((2, 4))
    return DelayedRun(label, delays, seconds, (messages,) * 4, weights, weights[0])


MANY, FEW = delayed("broken_all_reduce", 16.0, 40), delayed("my_all_reduce", 1.0, 5)
PICTURES = {
    "many messages": lambda: step_latency(MANY),
    "many messages and few": lambda: step_latency(MANY, FEW),
    "messages, nothing mended": lambda: step_latency(
        MANY, delayed("my_all_reduce", 16.0, 41)
    ),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_the_sentence_says_what_messages_cost():
    words = PICTURES["many messages and few"]().sentence
    assert "broken_all_reduce takes 16 messages a step; a step lasts 40 ms w" in words
    assert "my_all_reduce takes 1 message a step; a step lasts 5 ms without" in words


def test_bad_input_gets_a_sentence():
    with pytest.raises(ValueError, match="one or two runs over the same delays"):
        step_latency()
