"""The usual Locate exercise: misreadings get names, recordings tell them apart."""

import numpy as np
import pytest

from course.checks.findings import USUAL, finding
from course.checks.judging import Reference, matching_mistakes
from course.checks.places import Place


def first_negative(numbers):
    """The index of the first number below zero, and the number."""
    return next(((i, n) for i, n in enumerate(numbers) if n < 0), None)


def most_negative(numbers):
    """It takes the smallest number. Asked is the first."""
    return (int(np.argmin(numbers)), min(numbers)) if min(numbers) < 0 else None


def exercise(draw, **usual):
    return finding(
        "20/my_first_negative",
        Place(("index",), ("number",)),
        draw,
        given=lambda numbers: (list(numbers),),
        find=first_negative,
        nothing="no number is below zero.",
        wanted="the first number below zero.",
        more=lambda numbers, got, truth: f"There are {len(numbers)}.",
        mistakes=[most_negative],
        usual=usual,
        right="Right on two lists.",
    )


def two_lists(rng):
    return [(3, -1, -2), (4, 5)]


MISREAD = {
    "one_late": lambda numbers: (2, -1) if min(numbers) < 0 else None,
    "nothing_found": lambda numbers: None,
    "zero_for_none": lambda numbers: first_negative(numbers) or (0, 0),
}


@pytest.mark.parametrize("code", MISREAD)
def test_a_usual_misreading_gets_its_cause(code):
    known = exercise(two_lists, **{code: "of this."})
    reference = Reference(known, 20)
    got = [known.observe(MISREAD[code], case) for case in reference.cases]
    (found,) = matching_mistakes(reference, got)
    assert (found.code, found.cause) == (code, "of this.")
    assert found.function([3, -1, -2]) == MISREAD[code]([3, -1, -2])


def test_parts_count_from_one_and_amounts_stay():
    place = Place(("step", "replica"), ("gap",))
    assert USUAL["from_one"](place, (0, 2, 0.5)) == (1, 3, 0.5)
    assert USUAL["swapped"](place, (0, 2, 0.5)) == (2, 0, 0.5)
    assert all(USUAL[code](place, None) is None for code in ("from_one", "swapped"))


def test_what_came_is_said_with_a_sentence_on_the_recording():
    known = exercise(two_lists)
    case = (3, -1, -2)
    truth = known.expect(case)
    said = known.compare(case, known.observe(most_negative, case), truth)
    assert said.came.endswith("There are 3.") and "index 2" in said.came
    assert said.expected == "Expected the first number below zero."
    healthy = known.compare((4,), truth, known.expect((4,)))
    assert healthy.expected == "Expected None: no number is below zero."


def test_recordings_are_drawn_again_while_mistakes_look_alike():
    drawn = []

    def draw(rng):
        drawn.append(int(rng.integers(-5, 0)))
        # the first and the smallest are one number, but in the third draw
        return [(1, drawn[-1], drawn[-1] - (len(drawn) == 3))]

    cases = exercise(draw).cases(np.random.default_rng(20))
    assert len(drawn) == 3 and cases[0][2] == cases[0][1] - 1


def test_mistakes_that_always_look_alike_are_an_error_with_the_exercises_name():
    with pytest.raises(RuntimeError, match="20/my_first_negative: its mistakes"):
        exercise(lambda rng: [(1, -1)]).cases(np.random.default_rng(20))
