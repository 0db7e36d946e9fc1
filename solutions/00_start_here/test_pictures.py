"""What this notebook draws: the same loss, other weights."""

import numpy as np
from picture_rules import picture_tests

from course.lessons.n00_start_here.same_loss import same_loss

PICTURES = {
    "gap": lambda: same_loss({n: (4.7, np.array([0.1 * (n == 4)])) for n in (1, 2, 4)}),
    "no gap": lambda: same_loss({n: (4.7, np.array([0.0])) for n in (1, 2, 4)}),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_the_sentence_tells_other_weights_from_equal_ones():
    assert "agree too" in PICTURES["no gap"]().sentence
    assert "differ on 4 devices" in PICTURES["gap"]().sentence
