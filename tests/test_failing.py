"""What fails in every run is named, with its date; points by hand settle it."""

import json
from dataclasses import replace

import pytest

from autograder.failing import FILE, Failing
from autograder.records import ExerciseResult, Record

EXERCISES = (ExerciseResult("00/my_spread", "NOT RUN", 0.0, 2.0),)
FAILED = Record("s01", "00_small", "", 7, EXERCISES, ("no kernel could be started",))


def note(folder, record=FAILED, digest="a"):
    """As a new run does it."""
    return Failing(folder).note(record, digest)


def test_the_second_run_says_since_when_and_what_to_do(tmp_path):
    first = note(tmp_path)
    assert not first.always
    second, third = note(tmp_path), note(tmp_path)
    assert second.always and third.since == second.since == first.since
    assert "it has failed in both runs since " in str(second)
    assert "it has failed in each of 3 runs since " in str(third)
    assert "course mark s01 00_small EXERCISE --points N" in str(third)
    assert str(third).endswith("the last time: no kernel could be started")


def test_counting_begins_anew_with_another_submission(tmp_path):
    note(tmp_path)
    assert not note(tmp_path, digest="b").always
    assert note(tmp_path, digest="b").always
    assert note(tmp_path, replace(FAILED, digest="b"), "b") is None
    assert json.loads((tmp_path / FILE).read_text()) == []
    assert not note(tmp_path, digest="b").always


def test_another_students_success_changes_nothing(tmp_path):
    note(tmp_path)
    assert note(tmp_path, replace(FAILED, student="s02", digest="c"), "c") is None
    assert note(tmp_path).always


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "3", "[3]", '[{"student": "s01"}]', "[", "null"]
)
def test_a_file_that_can_not_be_read(tmp_path, text):
    (tmp_path / FILE).write_text(text)
    assert not note(tmp_path).always
    assert note(tmp_path).always


def test_an_odd_id_can_be_copied_into_a_shell(tmp_path):
    odd = replace(FAILED, student="Ada O'Hara")
    note(tmp_path, odd)
    assert """course mark 'Ada O'"'"'Hara' 00_small""" in str(note(tmp_path, odd))
