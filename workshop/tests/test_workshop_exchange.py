"""What learners submit is taken in safely, and feedback reaches its learner only."""

import os
import shutil
import time
import tracemalloc
from datetime import UTC, datetime, timedelta

import pytest
from checkout import ROOT
from nbgrader.api import Gradebook
from nbgrader.exchange.default import ExchangeCollect
from nbgrader.utils import notebook_hash

from autograder.nbgrader_settings import settings
from autograder.places import (
    COURSE_ID,
    EXCHANGE_VARIABLE,
    CourseError,
    course_places,
)
from workshop import arrivals, command, exchange, hand_out
from workshop.folders import Folders

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


ZONE = "2026-01-01 00:00:00 ../../../dev/zero"  # a file, to dateutil
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x1b[31mNew submissions: 30."
NOTEBOOK, STAMP, SECRET = f"{NAME}.ipynb", exchange.STAMP, exchange.SECRET


def instead(name, make):
    """A harm: something else stands where a file is expected."""
    return lambda place, secret: [(place / name).unlink(), make(place / name, secret)]


def text(name, content):
    """A harm: a file holds something else."""
    return lambda place, _: (place / name).write_bytes(content)


@pytest.mark.parametrize(
    "harm, said",
    [
        (instead(NOTEBOOK, lambda p, s: p.symlink_to(s)), "can't be read"),
        (instead(NOTEBOOK, lambda p, s: os.mkfifo(p)), "is no file"),
        (instead(NOTEBOOK, lambda p, s: p.mkdir()), "is no file"),
        (instead(NOTEBOOK, lambda p, s: None), f"has no {NOTEBOOK}"),
        (instead(SECRET, lambda p, s: None), "still arriving"),
        (lambda p, s: os.truncate(p / NOTEBOOK, 2**31), "larger than 20 MB"),
        (lambda p, s: os.truncate(p / STAMP, 2**31), "larger than 100 bytes"),
        (text(STAMP, b"soon"), "without a time"),
        (text(STAMP, b"\xff\xfe"), "without a time"),
        (text(STAMP, ZONE.encode()), "without a time"),
        (text(STAMP, ESCAPES.encode()), "without a time"),
        (text(SECRET, b"\xff\xfe" * 64), "not as nbgrader writes it"),
        (text(SECRET, b""), "not as nbgrader writes it"),
        (text(SECRET, b"s" * 201), "larger than 200 bytes"),
        (lambda p, s: [shutil.rmtree(p), p.symlink_to(s.parent)], "is no folder"),
        (
            lambda p, s: [shutil.rmtree(p.parent), p.parent.write_text("")],
            "can't be collected (Not a directory)",
        ),
    ],
    ids=[
        *("link", "pipe", "notebook-folder", "no-notebook", "half", "huge", "long"),
        *("stamp", "bytes", "zone", "escapes", "secret", "no-secret", "long-secret"),
        *("folder", "file"),
    ],
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
    assert refused[f"ada/{NAME}"].isprintable()
    assert not places.submitted("ada", NAME).exists()


def test_only_what_is_graded_is_taken(room):
    folders, places = room
    place = submit(folders, "ada", text="a")
    (place / "zz.ipynb").write_text("another one")
    (place / "x.zip").write_text("no zip")
    (place / "link").symlink_to("/etc/passwd")
    (place / "deeper").mkdir()
    for i in range(60):  # together more than nbgrader copies
        (place / f"{i}").touch()
        os.truncate(place / f"{i}", 19 * 2**20)
    submit(folders, "bob", text="b")
    assert hand_out.collect(folders, places, [NAME]) == (2, {})
    taken = places.submitted("ada", NAME).parent
    assert sorted(os.listdir(taken)) == sorted([NOTEBOOK, STAMP, SECRET])
    assert (collected(places, "ada"), collected(places, "bob")) == ("a", "b")


def test_an_error_nobody_thought_of_costs_one_learner_only(room, monkeypatch):
    copy = ExchangeCollect.do_copy

    def fail(self, src, dest, log=None):
        copy(self, src, dest, log)
        if "ada" in dest:
            raise RuntimeError(ESCAPES)

    monkeypatch.setattr(ExchangeCollect, "do_copy", fail)
    folders, places = room
    submit(folders, "ada")
    submit(folders, "bob", text="b")
    refused = {f"ada/{NAME}": "can't be collected (RuntimeError)"}
    assert hand_out.collect(folders, places, [NAME]) == (1, refused)
    assert collected(places, "bob") == "b"
    assert not places.submitted("ada", NAME).parent.exists()  # half a submission


def test_the_newest_is_taken_first_and_few_others_are_looked_at(room, monkeypatch):
    looked = []
    take_in = exchange.take_in

    def look(arrived, safe, notebook):
        looked.append(int((arrived / NOTEBOOK).read_text()))
        return take_in(arrived, safe, notebook)

    monkeypatch.setattr(exchange, "take_in", look)
    folders, places = room
    sent = []
    for i in range(6):
        sent.append(submit(folders, "ada", text=f"{i}", named=f"{9 - i}"))
        time.sleep(0.02)  # a file's time may be counted in such steps
    assert hand_out.collect(folders, places, [NAME]) == (1, {})
    assert (looked, collected(places, "ada")) == ([5], "5")

    shutil.rmtree(places.submitted("ada", NAME).parent)
    looked.clear()
    (sent[5] / SECRET).unlink()
    count, refused = hand_out.collect(folders, places, [NAME])
    assert (count, looked, collected(places, "ada")) == (1, [5, 4], "4")
    assert "still arriving" in refused[f"ada/{NAME}"]

    shutil.rmtree(places.submitted("ada", NAME).parent)
    looked.clear()
    for each in sent[3:5]:
        (each / STAMP).write_text(ZONE)
    count, refused = hand_out.collect(folders, places, [NAME])
    assert (count, len(looked), list(refused)) == (0, 3, [f"ada/{NAME}"])


def test_a_notebook_that_is_changed_afterwards_came_later(room, tmp_path, monkeypatch):
    monkeypatch.setattr(arrivals, "SLACK", timedelta(seconds=0.2))
    folders, _ = room
    place = submit(folders, "ada")
    said = arrivals.take_in(place, tmp_path / "first", NAME)
    assert f"{said} UTC" == (place / STAMP).read_text()
    time.sleep(0.5)
    (place / NOTEBOOK).write_text("after the due date")
    when = arrivals.take_in(place, tmp_path / "second", NAME)
    assert when - said > timedelta(seconds=0.4)
    assert (tmp_path / "second" / STAMP).read_text() == f"{when} UTC"


def test_nothing_is_read_that_is_too_large(room, tmp_path):
    folders, _ = room
    place = submit(folders, "ada")
    for name in (STAMP, NOTEBOOK):
        os.truncate(place / name, 2**31)
        tracemalloc.start()
        try:
            with pytest.raises(arrivals.Refused, match="larger"):
                arrivals.take_in(place, tmp_path / "safe", NAME)
            assert tracemalloc.get_traced_memory()[1] < 2**20
        finally:
            tracemalloc.stop()
        (place / name).write_text(f"{datetime.now(UTC).replace(tzinfo=None)} UTC")


def test_what_came_in_time_counts_where_that_is_wanted(room):
    folders, places = room
    due = datetime.now(UTC).replace(tzinfo=None)
    with Gradebook(f"sqlite:///{places.gradebook}", COURSE_ID) as book:
        book.add_assignment(NAME, duedate=due)
    config = hand_out._config(folders, places, NAME)
    config.Collect.update = config.Collect.before_duedate = True
    submit(folders, "ada", when=due + timedelta(seconds=20), text="late")
    hand_out._run(exchange.Collect, config)
    assert collected(places, "ada") == "late"
    submit(folders, "ada", when=due - timedelta(seconds=20), text="in time")
    submit(folders, "ada", when=due + timedelta(seconds=30), text="later")
    hand_out._run(exchange.Collect, config)
    assert collected(places, "ada") == "in time"


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


def test_feedback_fails_for_its_learner_only(room, caplog):
    folders, places = room
    for learner in ("ada", "bob", "cleo"):
        submit(folders, learner)
    hand_out.collect(folders, places, [NAME])
    for learner, content in (("ada", b"\xff\xfe" * 64), ("bob", b"")):
        secret = places.submitted(learner, NAME).with_name(SECRET)
        secret.write_bytes(content)  # as it may have come in before it was checked
    for learner in ("ada", "bob", "cleo"):
        page = places.feedback(learner, NAME)
        page.parent.mkdir(parents=True)
        page.write_text(f"for {learner}")
    assert hand_out.give_feedback(folders, places, [NAME]) == 1
    [page] = folders.feedback(COURSE_ID, "cleo").iterdir()
    assert page.read_text() == "for cleo"
    assert f"ada gets no page of {NAME}: it holds a {SECRET}" in caplog.text


def test_no_text_of_a_learner_is_printed(room, tmp_path, monkeypatch, capsys):
    folders, places = room
    monkeypatch.setattr(command.os, "geteuid", lambda: 1000)
    apart = Folders(tmp_path / "no workshop", folders.exchange)
    place = submit(apart, "eve")
    (place / STAMP).write_text(ESCAPES)
    place.rename(place.with_name(place.name + ESCAPES))
    command.hand_out("collect", [NAME], apart.data, places.root, folders.exchange)
    said = capsys.readouterr()
    assert f"Not taken: eve/{NAME}" in said.out
    assert "\x1b" not in said.out + said.err
    assert "owned" not in said.out + said.err


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


def test_nbgrader_in_the_instructors_server_uses_the_workshops_exchange(
    monkeypatch, tmp_path
):
    assert "collect" not in settings(ROOT).ExchangeFactory
    monkeypatch.setenv(EXCHANGE_VARIABLE, str(tmp_path))
    found = settings(ROOT)
    assert found.Exchange.root == str(tmp_path)
    assert found.ExchangeFactory.collect is exchange.Collect
    assert found.ExchangeFactory.release_feedback is exchange.ReleaseFeedback
