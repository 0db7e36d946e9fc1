"""Points and comments by hand: gradebook, feedback page, tables and report follow."""

import csv
import shutil

import pytest
from grading_class import (
    EXERCISE,
    NAME,
    WRONG,
    build_course,
    check_database,
    grade,
    gradebook,
    hand_in,
    hand_in_class,
    records,
)
from typer.testing import CliRunner

from autograder.by_hand import give, marks
from autograder.cli import app
from autograder.grading.readiness import alone
from autograder.places import CourseError

pytestmark = [
    pytest.mark.class_path,
    pytest.mark.xdist_group("grading"),
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
]
COMMENT = "Look at <rows> again & at the mean."


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A course and its class: s01 is right, s02 wrong."""
    folder = tmp_path_factory.mktemp("graded")
    places = build_course(folder / "course")
    grade(hand_in_class(folder / "class", places, 2), places)
    return places, folder / "class"


def table(places, name):
    with (places.results / name).open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_score_and_a_comment_reach_all_that_shows_them_and_outlive_a_grading(graded):
    places, handed_in = graded
    done = give(places, "s02", NAME, "my_spread", points=1.5, comment=COMMENT)
    assert (done.by_hand, done.automatic, done.most) == (1.5, 0, 2)
    assert str(done) == "1.5 of 2 by hand (its check gave 0)"

    def shown():
        page = places.feedback("s02", NAME).read_text()
        assert f"<h4>{NAME}: 1.5 of 2</h4>" in page
        assert "Look at &lt;rows&gt; again &amp; at the mean." in page
        (row,) = (r for r in table(places, "grades.csv") if r["student_id"] == "s02")
        assert float(row["score"]) == 1.5
        (row,) = (r for r in table(places, "canvas.csv") if r["SIS Login ID"] == "s02")
        assert row[NAME] == "1.5"
        report = (places.results / "report.html").read_text()
        assert " WRONG</span> 1.5</td>" in report
        assert gradebook(places)["s02"] == (0, 1.5, 1.5)
        assert records(places)["s02"].points == 0  # what the check found stays known

    shown()
    assert "1 graded" in grade(handed_in, places, "--student", "s02")
    shown()
    hand_in(handed_in / "s02" / NAME / f"{NAME}.ipynb", places, WRONG, "1 + 1")
    assert "1 graded" in grade(handed_in, places)
    shown()
    assert gradebook(places)["s01"] == (2, None, 2)

    for given, left in (
        ({"comment": "Other"}, (1.5, "Other")),
        ({"points": 1}, (1, "Other")),
        ({"comment": ""}, (1, "")),
        ({"points": "check"}, (None, "")),
    ):
        done = give(places, "s02", NAME, EXERCISE, **given)
        assert (done.by_hand, done.comment) == left
    assert "again &amp; at" not in places.feedback("s02", NAME).read_text()
    assert gradebook(places)["s02"] == (0, None, 0)
    check_database(places)


@pytest.mark.parametrize(
    ("student", "exercise", "points", "said"),
    [
        ("s03", "my_spread", 1, "Nothing of s03 in 00_small_spread was graded yet"),
        ("s01", "my_sprad", 1, 'Did you mean "00/my_spread"?'),
        ("s01", "my_spread", 2.5, "has 0 to 2 points, and no 2.5"),
        ("s01", "my_spread", -1, "has 0 to 2 points, and no -1"),
    ],
)
def test_what_can_not_be_given_changes_nothing(graded, student, exercise, points, said):
    places, _ = graded
    before = gradebook(places)
    with pytest.raises(CourseError, match=said.replace("?", r"\?")):
        give(places, student, NAME, exercise, points=points, comment="x")
    assert gradebook(places) == before


def test_while_a_class_is_graded_nothing_is_given(graded):
    places, _ = graded
    with alone(places), pytest.raises(CourseError, match="is at work in"):
        give(places, "s01", NAME, "my_spread", points=1, comment="")


def test_the_command_shows_and_gives(graded, tmp_path):
    places, _ = graded
    shutil.copytree(places.root, tmp_path / "course")
    here = ["--root", str(tmp_path / "course")]

    def said(*words):
        done = CliRunner().invoke(app, ["mark", "s01", "00", *words, *here])
        assert done.exit_code == 0, done.output
        return done.output

    assert said() == "00/my_spread: 2 of 2\n"
    given = said("my_spread", "--points", "1", "--comment", "Why np?")
    assert given == "00/my_spread: 1 of 2 by hand (its check gave 2)\n  Why np?\n"
    assert said("my_spread", "--points", "check") == "00/my_spread: 2 of 2\n  Why np?\n"
    words = ["mark", "s01", "00", "my_spread", "--points", "all", *here]
    done = CliRunner().invoke(app, words)
    assert done.exit_code and '"all" is neither' in str(done.exception)
    assert [each.comment for each in marks(places, "s01", NAME)] == [""]
