"""`course grade` as a user runs it: what it writes, what it grades again, bad input."""

import csv
import json
import os
import re
import shutil
import sys
from functools import partial
from pathlib import Path

import pytest
from grading_class import (
    EXERCISE,
    NAME,
    RIGHT,
    WRONG,
    build_course,
    check_database,
    grade,
    gradebook,
    hand_in,
    hand_in_class,
    listing,
    records,
)
from nbgrader.api import Gradebook

from autograder import cli
from autograder.grading import grade as grading
from autograder.grading.limits import FILE, read_limits
from autograder.places import course_places

pytestmark = [
    pytest.mark.class_path,
    pytest.mark.xdist_group("grading"),
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A course that nobody has graded yet; tests copy it."""
    return build_course(tmp_path_factory.mktemp("built") / "course")


@pytest.fixture
def places(built, tmp_path):
    shutil.copytree(built.root, tmp_path / "course")
    return course_places(tmp_path / "course")


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def agree(places):
    """Fail unless gradebook, records, tables, feedback and report say the same."""
    kept, scores = records(places), gradebook(places)
    assert kept.keys() == scores.keys()
    table = {each["student_id"]: each for each in rows(places.results / "grades.csv")}
    canvas = {
        each["SIS Login ID"]: each[NAME]
        for each in rows(places.results / "canvas.csv")[1:]
    }
    report = (places.results / "report.html").read_text(encoding="utf-8")
    for student, record in kept.items():
        automatic, _, score = scores[student]
        assert record.points == automatic
        assert float(table[student]["score"]) == float(canvas[student]) == score
        assert places.autograded(student, NAME).is_file()
        page = places.feedback(student, NAME).read_text(encoding="utf-8")
        assert re.search(rf"{record.exercises[0].outcome}\b", page)
        assert f">{EXERCISE}</a>" in page and "Test cell" not in page
        (worth,) = re.findall(rf"<h4>{NAME}: (.*)</h4>", page)
        known = (automatic, score)  # a score by hand stands there when it is made again
        assert worth in [f"{points:.10g} of {record.most:.10g}" for points in known]
        assert page.count("no check needs this cell") == 1  # the one that prints
        assert "<script" not in page and 'src="http' not in page
        assert student in report
    check_database(places)


def test_a_class_is_graded_and_the_same_again_changes_nothing(places, tmp_path):
    handed_in = hand_in_class(tmp_path / "class", places, 2)
    hand_in(handed_in / "s03" / "my homework (1).ipynb", places, WRONG)

    said = grade(handed_in, places)
    assert "3 graded" in said and "to look at" not in said
    kept = records(places)
    assert [each.points for each in kept.values()] == [2, 0, 0]
    assert [each.exercises[0].outcome for each in kept.values()] == [
        "RIGHT",
        "WRONG",
        "WRONG",
    ]
    assert kept["s02"].exercises[0].mistake == "mean_not_largest"
    assert kept["s02"].exercises[0].exercise == EXERCISE
    (note,) = kept["s03"].flags
    assert "my homework (1).ipynb" in note
    assert len({each.seed for each in kept.values()}) == 1
    agree(places)

    said = grade(handed_in, places, "--student", "s2", expect=2)
    assert "Nothing of s2 can be graded here. Did you mean s02" in said

    # the same class, packed: nothing is new in it
    shutil.make_archive(str(tmp_path / "packed"), "zip", handed_in)
    written = listing(places.root)
    assert "0 graded, 3 unchanged" in grade(tmp_path / "packed.zip", places)
    after = listing(places.root)
    changed = {name for name in written if written[name] != after.get(name)}
    hour_and_place = {"report.html", "expected.json"}
    assert changed <= {f"autograder/results/{name}" for name in hour_and_place}
    assert after.keys() == written.keys()


@pytest.mark.prove
def test_only_what_changed_is_graded_again_and_scores_by_hand_stay(places, tmp_path):
    handed_in = hand_in_class(tmp_path / "class", places, 3)
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", handed_in)
    assert "3 graded" in grade(handed_in, places)
    seed = records(places)["s01"].seed
    # one student's work, by one command
    assert "1 graded" in grade(handed_in, places, "--student", "s02")

    # a score given by hand, then two changes: only these two are graded again
    with Gradebook(f"sqlite:///{places.gradebook}") as opened:
        for student in ("s01", "s02"):
            (given,) = opened.find_submission(NAME, student).notebooks[0].grades
            given.manual_score = 1.5
        opened.db.commit()
    hand_in(handed_in / "s01" / NAME / f"{NAME}.ipynb", places, WRONG)
    shutil.rmtree(places.feedback("s03", NAME).parent)
    said = grade(handed_in, places)
    assert "2 graded, 1 unchanged" in said
    assert gradebook(places) == {
        "s01": (0, 1.5, 1.5),
        "s02": (0, 1.5, 1.5),
        "s03": (2, None, 2),
    }
    agree(places)

    # other cases for all
    other = ("--seed", str(seed + 1))
    assert "3 graded" in grade(Path(packed), places, *other)
    assert {each.seed for each in records(places).values()} == {seed + 1}
    assert gradebook(places)["s01"] == (2, 1.5, 1.5)  # the zip holds the older one


@pytest.mark.prove
def test_what_is_odd_is_held_back_and_the_class_is_graded(places, tmp_path):
    handed_in = hand_in_class(tmp_path / "class", places, 2)
    (handed_in / "s03.zip").write_bytes(b"hello")
    for folder, answer in (("1", RIGHT), ("2", WRONG)):
        hand_in(handed_in / "s04" / folder / f"{NAME}.ipynb", places, answer)
    for number in range(30):
        (handed_in / f"t{number}.zip").write_bytes(b"hello")

    said = grade(handed_in, places)
    assert "2 graded, 32 held back, as the report says." in said
    assert "Held back, not graded: 32" in said
    assert "s03: It is damaged or no zip" in said and f"s04, {NAME}: 2 files" in said
    assert "and 12 more: see the report" in said and "t29" not in said
    kept = json.loads((places.results / "held_back.json").read_text("utf-8"))
    assert {each["student"] for each in kept} >= {"s03", "s04", "t0"}
    page = (places.results / "report.html").read_text(encoding="utf-8")
    assert page.index('id="held"') < page.index("s03.zip") < page.index('id="graded"')
    table = {each["student_id"]: each for each in rows(places.results / "grades.csv")}
    assert (table["s04"]["score"], table["s04"]["note"]) == ("", "held back")
    assert (table["s02"]["score"], table["s02"]["note"]) == ("0.0", "")
    assert set(gradebook(places)) == set(records(places)) == {"s01", "s02"}

    # they hand in properly, another one does not; the rest of the list is as it was
    shutil.rmtree(handed_in / "s04" / "2")
    (handed_in / "s03.zip").unlink()
    hand_in(handed_in / "s03" / f"{NAME}.ipynb", places, RIGHT)
    hand_in(handed_in / "s01" / "again.ipynb", places, WRONG)
    said = grade(handed_in, places)
    assert "2 graded, 1 unchanged since they were, 31 held back" in said
    kept = json.loads((places.results / "held_back.json").read_text("utf-8"))
    names = {each["student"] for each in kept}
    assert "s01" in names and not names & {"s03", "s04"}
    table = {each["student_id"]: each for each in rows(places.results / "grades.csv")}
    assert (table["s01"]["score"], table["s01"]["note"]) == ("", "held back")
    assert [table[each]["score"] for each in ("s03", "s04")] == ["2.0", "2.0"]
    canvas = {x["SIS Login ID"]: x[NAME] for x in rows(places.results / "canvas.csv")}
    assert canvas["s01"] == "2"  # what Canvas has of the first run stays


def test_a_class_of_which_nothing_can_be_taken_has_a_report(places, tmp_path):
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "s03.zip").write_bytes(b"hello")
    said = grade(tmp_path / "class", places)
    assert "0 graded, 1 held back, as the report says." in said
    assert "s03.zip" in (places.results / "report.html").read_text(encoding="utf-8")


def nothing_there(tmp_path, places):
    return [str(tmp_path / "nowhere")], "There is nothing at"


def an_empty_folder(tmp_path, places):
    (tmp_path / "empty").mkdir()
    return [str(tmp_path / "empty")], "There is no notebook in"


def an_unknown_notebook(tmp_path, places):
    handed_in = hand_in_class(tmp_path / "class", places, 1)
    return [str(handed_in), "--notebook", "17"], 'There is no notebook "17"'


def names_that_tell_nobody(tmp_path, places):
    for name in ("a", "b"):
        hand_in(tmp_path / "class" / f"{name}.ipynb", places)
    return [str(tmp_path / "class")], "do not tell whose"


def results_that_are_a_file(tmp_path, places):
    places.results.write_text("in the way")
    return [str(hand_in_class(tmp_path / "class", places, 1))], "can't be written"


def no_bubblewrap(tmp_path, places, monkeypatch):
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("setpriv", "git"):
        if found := shutil.which(name):
            (programs / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(programs))
    return [str(hand_in_class(tmp_path / "class", places, 1))], "apt install bubblewrap"


def limits_without_a_number(tmp_path, places, monkeypatch):
    bad = tmp_path / "limits.toml"
    bad.write_text(FILE.read_text().replace("cell = 120", 'cell = "long"'))
    monkeypatch.setattr(grading, "read_limits", partial(read_limits, bad))
    return [str(hand_in_class(tmp_path / "class", places, 1))], "limits.toml"


def limits_that_lack_one(tmp_path, places, monkeypatch):
    bad = tmp_path / "limits.toml"
    bad.write_text(FILE.read_text().replace("tasks = 2048", ""))
    monkeypatch.setattr(grading, "read_limits", partial(read_limits, bad))
    return [str(hand_in_class(tmp_path / "class", places, 1))], "'tasks' is missing"


def a_seed_that_is_none(tmp_path, places, monkeypatch):
    monkeypatch.setenv("COURSE_SEED", "seven")
    return [str(hand_in_class(tmp_path / "class", places, 1))], "COURSE_SEED must be"


def a_kept_seed_that_is_none(tmp_path, places):
    places.results.mkdir()
    (places.results / "seed").write_text("seven\n")
    return [str(hand_in_class(tmp_path / "class", places, 1))], "no whole number"


def a_gradebook_that_is_none(tmp_path, places):
    places.gradebook.write_text("no database, but long enough to be read as one" * 9)
    return [str(hand_in_class(tmp_path / "class", places, 1))], "as a gradebook"


def a_notebook_that_is_not_built(tmp_path, places):
    handed_in = hand_in_class(tmp_path / "class", places, 1)
    places.learner(NAME).unlink()
    return [str(handed_in)], "`course build` makes it"


def certificates_that_are_not_there(tmp_path, places):
    handed_in = hand_in_class(tmp_path / "class", places, 1)
    options = ["--scheduler", "tls://127.0.0.1:1", "--tls-ca", str(tmp_path / "ca")]
    return [str(handed_in), *options], "no certificate or key"


def an_open_scheduler(tmp_path, places):
    handed_in = hand_in_class(tmp_path / "class", places, 1)
    return [str(handed_in), "--scheduler", "tcp://10.0.0.1:8786"], "with TLS"


@pytest.mark.parametrize(
    "trouble",
    [
        nothing_there,
        an_empty_folder,
        an_unknown_notebook,
        names_that_tell_nobody,
        results_that_are_a_file,
        no_bubblewrap,
        limits_without_a_number,
        limits_that_lack_one,
        a_seed_that_is_none,
        a_kept_seed_that_is_none,
        a_gradebook_that_is_none,
        a_notebook_that_is_not_built,
        certificates_that_are_not_there,
        an_open_scheduler,
    ],
    ids=lambda each: each.__name__,
)
def test_bad_input_says_what_is_wrong_and_changes_nothing(
    trouble, places, tmp_path, monkeypatch, capsys
):
    wants = trouble.__code__.co_varnames[: trouble.__code__.co_argcount]
    more = [monkeypatch] if "monkeypatch" in wants else []
    arguments, sentence = trouble(tmp_path, places, *more)
    before = listing(places.root)
    command = ["course", "grade", *arguments, "--root", str(places.root)]
    monkeypatch.setattr(sys, "argv", command)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    said = capsys.readouterr()
    assert ended.value.code == 2, said
    assert sentence in said.err
    assert len(said.err) < 700 and "Traceback" not in said.err
    assert "\n\n" not in said.err.strip()  # one paragraph
    assert listing(places.root) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_results_that_must_not_be_written(places, tmp_path):
    handed_in = hand_in_class(tmp_path / "class", places, 1)
    places.gradebook.parent.chmod(0o500)
    before = listing(places.root)
    try:
        assert "can't be written" in grade(handed_in, places, expect=2)
        assert listing(places.root) == before
    finally:
        places.gradebook.parent.chmod(0o700)


def test_one_run_at_a_time(places, tmp_path):
    from autograder.grading.readiness import alone

    handed_in = hand_in_class(tmp_path / "class", places, 1)
    with alone(places):
        said = grade(handed_in, places, expect=2)
    assert "Another `course grade` is at work" in said
    assert records(places) == {}
