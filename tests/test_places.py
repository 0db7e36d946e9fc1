"""Answers that name a place: what is accepted, and which part is said to be wrong."""

import numpy as np
import pytest

from course.checks.places import Place

PLACE = Place(("step", "replica"), ("weight",))


@pytest.mark.parametrize(
    "answer", [(1, 0, 0.5), [1.0, 0, 0.5], (np.int64(1), np.float32(0), 0.5)]
)
def test_numbers_of_any_kind_are_accepted(answer):
    assert PLACE.observation(answer).values.tolist() == [1.0, 0.0, 0.5]


@pytest.mark.parametrize(
    "answer", [(1, 0), (1.5, 0, 0.5), (-1, 0, 0.5), "123", 3, (1, None, 2), {1: 2}]
)
def test_other_answers_are_explained(answer):
    kinds = r"must return \(step, replica, weight\), two whole numbers and a number"
    with pytest.raises(TypeError, match=kinds):
        PLACE.observation(answer)


def test_the_wrong_part_is_named():
    truth = PLACE.observation((1, 2, 0.5))
    wrong = PLACE.difference(PLACE.observation((1, 3, 0.25)), truth, "no.", "this.")
    assert wrong.came == (
        "It returned step 1, replica 3, weight 0.25. Wrong in it: replica, weight."
    )
    assert wrong.expected == "Expected this."
    none = PLACE.difference(PLACE.observation(None), truth, "no.", "this.")
    assert none.came == "It returned None."
    healthy = PLACE.difference(truth, PLACE.observation(None), "all is well.", "this.")
    assert healthy.expected == "Expected None: all is well."
    assert "wrong" not in healthy.came
