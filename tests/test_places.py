"""Answers that name a place: what is accepted, and which part is said to be wrong."""

import numpy as np
import pytest

from course.checks.failures import WrongReturn
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
    kinds = (
        r"^Return \(step, replica, weight\), two whole numbers from 0 on and a number, "
        r"or None\. Your function returned"
    )
    with pytest.raises(WrongReturn, match=kinds):
        PLACE.observation(answer)


def test_the_wrong_part_is_named():
    truth = PLACE.observation((1, 2, 0.5))
    wrong = PLACE.difference(PLACE.observation((1, 3, 0.25)), truth, "no.", "this.")
    assert wrong.came == (
        "It returned step 1, replica 3, weight 0.25. Wrong: replica and weight."
    )
    assert wrong.expected == "Expected this."
    none = PLACE.difference(PLACE.observation(None), truth, "no.", "this.")
    assert none.came == "It returned None."
    healthy = PLACE.difference(truth, PLACE.observation(None), "all is well.", "this.")
    assert healthy.expected == "Expected None: all is well."
    assert "wrong" not in healthy.came


def test_whole_numbers_are_shown_with_all_their_digits():
    place = Place(("form",), ("bytes",))
    truth, answer = place.observation((1, 16322)), place.observation((1, 16320))
    assert place.difference(answer, truth, "no.", "this.").came == (
        "It returned form 1, bytes 16320. Wrong: bytes."
    )
