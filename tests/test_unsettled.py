"""What has no result is kept until it has one, whatever else is graded meanwhile."""

import pytest

from autograder.intake import Found, HeldBack, Submission
from autograder.places import Places
from autograder.records import Record
from autograder.unsettled import HELD_BACK, NOTHING, Unsettled, keep, read

TWO, THREE = "02_two", "03_three"


def found(*held, taken=()):
    submissions = [Submission(student, name, "", None) for student, name in taken]
    return Found(tuple(submissions), (), tuple(HeldBack(*each) for each in held))


def held(results, records=()):
    return [(x.student, x.notebook) for x in read(results, records).held_back]


def record(student, notebook, digest="d"):
    return Record(student, notebook, digest, 0, ())


ODD = ("s01", TWO, "s01/a, s01/b", "2 files: take one out.")


def test_what_is_kept_is_read_again(tmp_path):
    odd = ("s\u00fc?", "", "x \u202e", "<why>: do this.")
    keep(tmp_path, found(ODD, odd), tmp_path / "class")
    assert read(tmp_path, ()).held_back == (HeldBack(*ODD), HeldBack(*odd))
    assert "class" in (tmp_path / HELD_BACK).read_text("utf-8")


def test_one_who_hands_in_properly_leaves_the_list(tmp_path):
    keep(tmp_path, found(ODD), tmp_path / "class")
    keep(tmp_path, found(taken=[("s01", TWO)]), tmp_path / "class")
    assert held(tmp_path) == []


def test_another_class_or_notebook_leaves_it_as_it_is(tmp_path):
    keep(tmp_path, found(ODD, ("s02", "", "", "")), tmp_path / "class02")
    keep(tmp_path, found(taken=[("s01", THREE)]), tmp_path / "class03")
    assert held(tmp_path) == [("s01", TWO), ("s02", "")]
    keep(tmp_path, found(("s01", TWO, "", "")), tmp_path / "class02.zip")
    assert held(tmp_path) == [("s01", TWO), ("s02", "")]  # once
    keep(tmp_path, found(taken=[("s02", TWO)]), tmp_path / "class02.zip")
    assert held(tmp_path) == []  # s02 is there; the zip was looked at again


def test_a_run_for_some_notebooks_keeps_the_others(tmp_path):
    keep(tmp_path, found(ODD, ("s02", THREE, "", "")), tmp_path)
    keep(tmp_path, found(), tmp_path, [THREE])
    assert held(tmp_path) == [("s01", TWO)]
    keep(tmp_path, found(), tmp_path)
    assert held(tmp_path) == []


def test_what_was_found_waits_until_it_has_a_record(tmp_path):
    pairs = [("s01", TWO), ("s02", TWO), ("s03", TWO)]
    keep(tmp_path, found(taken=pairs), tmp_path)
    assert read(tmp_path, ()).waiting == set(pairs)
    some = [record("s01", TWO), record("s02", TWO, digest="")]  # a machine failed
    assert read(tmp_path, some).waiting == {("s02", TWO), ("s03", TWO)}
    assert read(tmp_path, some).failed == {("s02", TWO)}
    keep(tmp_path, found(taken=pairs[:2]), tmp_path)  # the third took it back
    assert read(tmp_path, some).waiting == {("s02", TWO)}


@pytest.mark.parametrize(
    ("student", "notebook", "graded", "word"),
    [
        ("s01", TWO, True, "held back"),
        ("s01", THREE, True, ""),
        ("s02", TWO, True, ""),
        ("s02", TWO, False, "held back"),
        ("s03", TWO, False, "not graded yet"),
        ("s04", TWO, False, ""),
    ],
)
def test_the_word_for_a_row(student, notebook, graded, word):
    odd = (HeldBack("s01", TWO, "", ""), HeldBack("s02", "", "", ""))
    rest = Unsettled(odd, frozenset({("s03", TWO)}))
    assert rest.word(student, notebook, graded) == word


@pytest.mark.parametrize("text", ["", "{", "{}", "[1]", '[{"student": "s"}]', "\xff"])
def test_a_damaged_file_is_made_anew(tmp_path, text):
    (tmp_path / HELD_BACK).write_text(text, encoding="latin-1")
    assert read(tmp_path, ()) == NOTHING
    keep(tmp_path, found(ODD), tmp_path)
    assert held(tmp_path) == [("s01", TWO)]


def test_nothing_is_kept_where_nobody_graded(tmp_path):
    assert read(Places(tmp_path).results, ()) == NOTHING
