"""Cards are readable: what differs differs as printed; 1 row is not "1 rows"."""

from pathlib import Path

import numpy as np
import pytest
from card_rules import faults_of, same_numbers

from autograder.answers.reading import answer_files
from autograder.places import course_places
from autograder.proof.command import name_of
from course.checks.declared import find_exercise
from course.checks.judging import Reference
from course.checks.verdicts import Outcome, Verdict

PLACES = course_places(Path(__file__).resolve().parent.parent)
NAMES = [name_of(path) for path in answer_files(PLACES)]
EXERCISES = [name for name in NAMES if name != "21/jobs"]  # its checks have no values


def a_little_off(exercise, truth):
    """The truth with one value changed by little more than the tolerance, or None."""
    values = np.array(truth.values, np.float64)
    broken = np.flatnonzero(np.isfinite(values.ravel()) & (values.ravel() % 1 != 0))
    if not broken.size:
        return None
    flat = values.ravel()
    flat[broken[-1]] += 2 * exercise.tolerance
    return truth.changed(values=flat.reshape(values.shape))


@pytest.mark.parametrize("name", EXERCISES)
def test_a_value_that_is_just_off_differs_as_printed(devices, name):
    exercise = find_exercise(name)
    reference = Reference(exercise, seed=3)
    for number, case in enumerate(reference.cases[:2]):
        truth = reference.truth(number)
        off = a_little_off(exercise, truth)
        if off is None or off.agrees(truth, exercise.tolerance):
            continue
        difference = exercise.compare(case, off, truth)
        assert not same_numbers(difference.came, difference.expected)


def card(*lines, outcome=Outcome.WRONG):
    return Verdict("02/my_step", outcome, 1, lines)


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (("Called.", "It returned 3.14.", "Expected 3.14."), "equal as printed"),
        (("Called.", "1 rows of 2.", "Expected 2 of 2."), "plural"),
        (("Called.", "It kept 1 other files.", "Expected 2."), "plural"),
        (("Called.", "It stopped with TypeError: the function returned 3."), "ran to"),
        (("Called.", f"It returned {'7, ' * 60}; it must return a list."), "behind"),
        (("word " * 161,), "160 at most"),
    ],
)
def test_a_card_with_a_fault_is_found(lines, fault):
    assert any(fault in each for each in faults_of(card(*lines)))


def test_a_good_card_has_no_fault():
    lines = ("Called with 1 row.", "Worker 1 steps on; loss 0.25.", "Expected: 0.26.")
    assert faults_of(card(*lines)) == []
