"""What this notebook draws: what each replica returned."""

# TODO(room): your picture, broken and right

import numpy as np
import pytest
from picture_rules import can_be_read, has_words

from course.lessons.nNN_SYMPTOM import each_replica

PICTURES = {
    "broken": lambda: each_replica({"broken_total": np.array([6.0, 15.0])}, 21.0),
    "before and after": lambda: each_replica(
        {"broken_total": np.array([6.0, 15.0]), "my_total": np.array([21.0, 21.0])},
        21.0,
    ),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_figure_fits_its_screen_and_can_be_read(name):
    can_be_read(PICTURES[name]())


@pytest.mark.parametrize("name", PICTURES)
def test_a_figure_has_one_sentence_and_a_table(name, monkeypatch):
    has_words(PICTURES[name](), monkeypatch)


def test_the_sentence_tells_the_broken_run_from_the_right_one():
    said = PICTURES["before and after"]().sentence
    assert "returns 6, 15 on the replicas" in said and "21 on every replica" in said
