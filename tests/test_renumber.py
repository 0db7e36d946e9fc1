"""A failure gets another number: all places that hold it change, or nothing does."""

import json
import shutil

import pytest
from checkout import ROOT
from small_course_copy import NAME, copy_small_course, edit

from autograder.build import build
from autograder.new_room import new_room, told
from autograder.places import CourseError, Places
from autograder.renumber import carry_out, jobs_before, plan

OTHER = "91_sum_too_late"
TEXT = """\
import course.lessons.n90_sum_too_small.shards
from course.lessons.n91_sum_too_late import cells
check("90/my_sum", 90)  # as in notebook 91, and in 90
link = "../90_sum_too_small/90_sum_too_small.ipynb", 190_000, "0.90", 90 + x
predict("91")  # notebooks 90, 92
# and 91: course test 90
# | 91 | [Sum too late](../91_sum_too_late) and [90 Sum](x)
"""
SWAPPED = """\
import course.lessons.n91_sum_too_small.shards
from course.lessons.n90_sum_too_late import cells
check("91/my_sum", 90)  # as in notebook 90, and in 90
link = "../91_sum_too_small/91_sum_too_small.ipynb", 190_000, "0.90", 90 + x
predict("90")  # notebooks 91, 92
# and 91: course test 91
# | 91 | [Sum too late](../90_sum_too_late) and [91 Sum](x)
"""


@pytest.fixture
def places(tmp_path):
    """The small course with a second failure, and a lesson."""
    small = copy_small_course(tmp_path)
    folder = small.solutions / OTHER
    shutil.copytree(small.source(NAME).parent, folder)
    source = (folder / f"{NAME}.py").rename(small.source(OTHER))
    source.write_text(source.read_text("utf-8").replace("90", "91"), "utf-8")
    small.lesson(NAME).mkdir(parents=True)
    (small.lesson(NAME) / "shards.py").write_text(TEXT, "utf-8")
    return small


def files(places):
    return {path: path.read_bytes() for path in places.root.rglob("*.*")}


def test_all_that_names_the_failures_changes_and_the_rest_is_told(places):
    before = files(places)
    planned = plan(places, "91", "90")
    assert files(places) == before
    names = {OTHER: "90_sum_too_late", NAME: "91_sum_too_small"}
    assert planned.names == names
    carry_out(places, planned)
    assert places.names() == ["90_sum_too_late", "91_sum_too_small"]
    text = (places.lesson("91_sum_too_small") / "shards.py").read_text("utf-8")
    assert text == SWAPPED
    place = "course/lessons/n91_sum_too_small/shards.py"
    lines = SWAPPED.splitlines()
    assert planned.unsure == [f"{place}:{n}: {lines[n - 1]}" for n in (3, 6, 7)]
    for old in names:
        left = [path for path in files(places) if old in path.as_posix()]
        assert not left
    carry_out(places, plan(places, "sum_too_late", "91"))
    assert files(places) == before


def test_those_between_move_towards_the_number_that_gets_free(places):
    for number in ("93", "94"):
        name = f"{number}_sum_{number}"
        shutil.copytree(places.source(OTHER).parent, places.solutions / name)
        source = (places.solutions / name / f"{OTHER}.py").rename(places.source(name))
        source.write_text(source.read_text("utf-8").replace("91", number), "utf-8")
    numbers = {
        (wanted, number): sorted(
            f"{old[:2]}{new[:2]}"
            for old, new in plan(places, wanted, number).names.items()
        )
        for wanted, number in (("94", "90"), ("90", "94"), ("91", "50"), ("94", "91"))
    }
    assert numbers == {
        ("94", "90"): ["9091", "9192", "9490"],  # 92 is free
        ("90", "94"): ["9094", "9392", "9493"],
        ("91", "50"): ["9150"],
        ("94", "91"): ["9192", "9491"],
    }


@pytest.mark.parametrize(
    ("wanted", "number", "words"),
    [
        ("90", "9", "write two digits"),
        ("90", "90", "has the number 90 already"),
        ("90", "00", "learners begin there"),
        ("none", "91", 'no notebook "none"'),
        ("90", "92", "notebooks/92_sum_too_small already"),
        ("91", "92", r"submitted/\*/91_sum_too_late holds submissions"),
    ],
)
def test_what_can_not_be_done_is_said_and_nothing_is_written(
    places, wanted, number, words
):
    (places.notebooks / "92_sum_too_small").mkdir(parents=True)
    places.submitted("erin", OTHER).parent.mkdir(parents=True)
    before = files(places)
    with pytest.raises(CourseError, match=words):
        plan(places, wanted, number)
    assert files(places) == before


def test_an_edit_of_a_built_notebook_is_kept(places):
    (places.solutions / OTHER / "claims.toml").unlink()  # the same claims twice
    build(places, [NAME], places.root / "gradebook.db")
    edit(places.learner(NAME), "Two shards go in", "Three shards go in")
    with pytest.raises(CourseError, match=r"was changed by hand .* --adopt"):
        plan(places, OTHER, "92")


def test_who_makes_a_room_behind_the_composed_jobs_is_told_how_to_move_it(places):
    text = places.source(OTHER).read_text("utf-8")
    places.source(OTHER).write_text(f'{text}\n# %% role="jobs"\n', "utf-8")
    assert jobs_before(places, OTHER) is None
    said = told(places, "95_new", new_room(places, "95_new"))
    assert "course renumber 95_new 91" in said


def test_progress_of_numbers_that_are_gone_costs_nobody_the_map(capsys, monkeypatch):
    from autograder.status import print_status
    from course.learner import course_map, progress

    shown = []
    monkeypatch.setattr(course_map, "display", shown.append)
    stale = {"97/my_sum": "RIGHT", "98/my_sum": "WRONG"}
    prediction = {"97": {"answer": "B", "sure": "sure"}}
    progress.save(progress.Progress(stale, predictions=prediction))
    course_map.course_map(Places(ROOT).notebooks)
    print_status(ROOT)
    assert "Start here" in shown[0].data and "Start here" in capsys.readouterr().out
    assert json.loads(progress.path().read_text())["outcomes"] == stale
