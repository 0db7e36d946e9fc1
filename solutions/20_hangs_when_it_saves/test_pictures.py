"""What this notebook draws: what each replica returned."""

# TODO(room): your picture, broken and right

import numpy as np
from picture_rules import picture_tests

from course.lessons.n20_hangs_when_it_saves import each_replica

PICTURES = {
    "broken": lambda: each_replica({"broken_total": np.array([6.0, 15.0])}, 21.0),
    "before and after": lambda: each_replica(
        {"broken_total": np.array([6.0, 15.0]), "my_total": np.array([21.0, 21.0])},
        21.0,
    ),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_the_sentence_tells_the_broken_run_from_the_right_one():
    said = PICTURES["before and after"]().sentence
    assert "returns 6, 15 on the replicas" in said and "21 on every replica" in said
