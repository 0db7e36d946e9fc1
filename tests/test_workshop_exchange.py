"""What learners submit is taken in safely, and feedback reaches its learner only."""

import os
import shutil
from datetime import UTC, datetime, timedelta

import pytest
from checkout import ROOT
from nbgrader.api import Gradebook
from nbgrader.utils import notebook_hash

from autograder.places import COURSE_ID, CourseError, course_places
from autograder.workshop import arrivals, command, hand_out
from autograder.workshop.folders import Folders

NAME = "02_replicas_drift_apart"


@pytest.fixture
def room(tmp_path):
    """The folders of a workshop, and the course that it teaches; nothing runs."""
    from workshop_room import copy_notebooks

    course, folders = tmp_path / "course", Folders(tmp_path / "room")
    copy_notebooks(course, NAME)
    folders.make()
    return folders, course_places(course)


def submit(folders, learner, when=None, text="{}", named=None, secret="s" * 128):
    """Do what nbgrader's submit does in a learner's session."""
    stamp = f"{when or datetime.now(UTC).replace(tzinfo=None)} UTC"
    place = folders.inbound(COURSE_ID, learner) / f"{named or learner}+{NAME}+{stamp}+x"
    place.mkdir(parents=True)
    (place / f"{NAME}.ipynb").write_text(text)
    (place / "timestamp.txt").write_text(stamp)
    (place / "submission_secret.txt").write_text(secret)
    return place


def collected(places, learner):
    return places.submitted(learner, NAME).read_text()


def test_the_last_submission_is_collected_once(room):
    folders, places = room
    submit(folders, "ada", text="1")
    submit(folders, "bob", text="b")
    assert hand_out.collect(folders, places, [NAME]) == (2, {})
    assert collected(places, "ada") == "1"
    assert hand_out.collect(folders, places, [NAME]) == (0, {})
    submit(folders, "ada", text="2")
    assert hand_out.collect(folders, places, [NAME]) == (1, {})
    assert (collected(places, "ada"), collected(places, "bob")) == ("2", "b")


def test_nobody_submits_in_another_name(room):
    folders, places = room
    submit(folders, "bob", text="bob's own")
    submit(folders, "ada", text="ada's", named="bob")
    hand_out.collect(folders, places, [NAME])
    assert collected(places, "bob") == "bob's own"
    assert collected(places, "ada") == "ada's"


def test_a_stamp_does_not_make_a_submission_earlier(room):
    folders, places = room
    due = datetime.now(UTC).replace(tzinfo=None) - timedelta(hours=1)
    with Gradebook(f"sqlite:///{places.gradebook}", COURSE_ID) as book:
        book.add_assignment(NAME, duedate=due)
    submit(folders, "ada", when=due - timedelta(days=1))
    hand_out.collect(folders, places, [NAME])
    stamp = places.submitted("ada", NAME).with_name("timestamp.txt").read_text()
    assert datetime.fromisoformat(stamp.removesuffix(" UTC")) > due


@pytest.mark.parametrize(
    "harm, said",
    [
        (lambda p, s: (p / "x.ipynb").symlink_to(s), "can't be read"),
        (lambda p, s: os.mkfifo(p / "x.ipynb"), "is no file"),
        (lambda p, s: [(p / f"{i}").touch() for i in range(60)], "63 files"),
        (lambda p, s: (p / "submission_secret.txt").unlink(), "still arriving"),
        (lambda p, s: os.truncate(p / f"{NAME}.ipynb", 2**31), "larger than 20 MB"),
        (lambda p, s: (p / "timestamp.txt").write_text("soon"), "soon"),
        (lambda p, s: (p / "timestamp.txt").write_bytes(b"\xff\xfe"), "utf-8"),
        (lambda p, s: [shutil.rmtree(p), p.symlink_to(s.parent)], "is no folder"),
    ],
    ids=["link", "pipe", "many", "half", "huge", "stamp", "bytes", "folder"],
)
def test_what_is_no_submission_is_refused_and_the_others_are_taken(
    room, tmp_path, harm, said
):
    folders, places = room
    secret = tmp_path / "secret.txt"
    secret.write_text("the gradebook")
    harm(submit(folders, "ada"), secret)
    submit(folders, "bob", text="b")
    count, refused = hand_out.collect(folders, places, [NAME])
    assert (count, list(refused)) == (1, [f"ada/{NAME}"])
    assert said in refused[f"ada/{NAME}"]
    assert not places.submitted("ada", NAME).exists()


def test_folders_inside_a_submission_are_left_out(tmp_path):
    (tmp_path / "in" / "deeper").mkdir(parents=True)
    (tmp_path / "in" / "a").write_text("a")
    arrivals.take_in(tmp_path / "in", tmp_path / "safe", needed=["a"])
    assert os.listdir(tmp_path / "safe") == ["a"]


def test_feedback_goes_to_its_learner_and_only_when_graded(room):
    folders, places = room
    submit(folders, "ada", secret="a" * 128)
    submit(folders, "bob", secret="b" * 128)
    hand_out.collect(folders, places, [NAME])
    for learner in ("ada", "bob"):
        page = places.feedback(learner, NAME)
        page.parent.mkdir(parents=True)
        page.write_text(f"for {learner}")
    assert hand_out.give_feedback(folders, places, [NAME]) == 2
    found = {
        learner: [p.read_text() for p in folders.feedback(COURSE_ID, learner).iterdir()]
        for learner in ("ada", "bob")
    }
    assert found == {"ada": ["for ada"], "bob": ["for bob"]}
    mark = notebook_hash(secret="a" * 128, notebook_id=NAME)
    assert (folders.feedback(COURSE_ID, "ada") / f"{mark}.html").is_file()

    # what was graded is not the newest any more
    submit(folders, "ada")
    hand_out.collect(folders, places, [NAME])
    secret = places.submitted("ada", NAME).with_name("submission_secret.txt")
    later = places.feedback("ada", NAME).stat().st_mtime + 10
    os.utime(secret, (later, later))
    assert hand_out.give_feedback(folders, places, [NAME]) == 1


def test_a_release_is_done_again_only_where_something_changed(room):
    folders, places = room
    assert hand_out.release(folders, places, [NAME]) == [NAME]
    assert hand_out.release(folders, places, [NAME]) == []
    with places.learner(NAME).open("a") as file:
        file.write("\n")
    assert hand_out.release(folders, places, [NAME]) == [NAME]
    released = folders.outbound(COURSE_ID) / NAME / f"{NAME}.ipynb"
    assert released.read_bytes() == places.learner(NAME).read_bytes()


def test_practice_is_released_as_a_notebook_of_its_own(tmp_path):
    folders = Folders(tmp_path / "room")
    folders.make()
    name = hand_out.release_practice(folders, course_places(ROOT), 1, 2)
    released = folders.outbound(COURSE_ID) / name / f"{name}.ipynb"
    assert "mystery(seed=2, parts=(1,), jobs=2)" in released.read_text()
    with pytest.raises(CourseError, match="parts 1, 2 and 3"):
        hand_out.release_practice(folders, course_places(ROOT), 4, 1)


def test_an_exchange_of_its_own_needs_no_workshop(room, tmp_path, monkeypatch, capsys):
    _, places = room
    monkeypatch.setattr(command.os, "geteuid", lambda: 1000)
    exchange = tmp_path / "shared"
    with pytest.raises(CourseError, match="no exchange at"):
        command.hand_out("release", [NAME], None, places.root, exchange)
    exchange.mkdir()
    nowhere = tmp_path / "no workshop"
    command.hand_out("release", [NAME], nowhere, places.root, exchange)
    apart = Folders(nowhere, exchange)
    assert (exchange / COURSE_ID / "outbound" / NAME / f"{NAME}.ipynb").is_file()
    submit(apart, "ada", text="1")
    command.hand_out("collect", [NAME], nowhere, places.root, exchange)
    assert collected(places, "ada") == "1"
    page = places.feedback("ada", NAME)
    page.parent.mkdir(parents=True)
    page.write_text("for ada")
    command.hand_out("feedback", [NAME], nowhere, places.root, exchange)
    assert "handed out: 1." in capsys.readouterr().out
    assert not nowhere.exists()
