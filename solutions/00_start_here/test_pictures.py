"""What this notebook draws: the same loss, other weights."""

import numpy as np
import pytest
from picture_rules import can_be_read, has_words

from course.lessons.n00_start_here.same_loss import same_loss

PICTURES = {
    "gap": lambda: same_loss({n: (4.7, np.array([0.1 * (n == 4)])) for n in (1, 2, 4)}),
    "no gap": lambda: same_loss({n: (4.7, np.array([0.0])) for n in (1, 2, 4)}),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_figure_fits_its_screen_and_can_be_read(name):
    can_be_read(PICTURES[name]())


@pytest.mark.parametrize("name", PICTURES)
def test_a_figure_has_one_sentence_and_a_table(name, monkeypatch):
    has_words(PICTURES[name](), monkeypatch)


def test_the_sentence_tells_other_weights_from_equal_ones():
    assert "agree too" in PICTURES["no gap"]().sentence
    assert "differ on 4 devices" in PICTURES["gap"]().sentence
