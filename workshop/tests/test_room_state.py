"""What the room knows: reports cut to what the course knows, votes, names, files."""

import csv
import io
import json
import os
import resource
import stat
from types import SimpleNamespace

import pytest
from room_class import NAMES, prediction, tables
from traitlets.config import Config

from autograder.places import course_places
from workshop.room import catalogue, export, store
from workshop.room.hub_settings import add_room
from workshop.room.learner_pages import LearnerStream
from workshop.room.reports import Refused, Report, parse_body, parse_report
from workshop.room.state import Room
from workshop.room.views import (
    instructor_view,
    learner_view,
    news_view,
    wall_view,
)
from workshop.room.votes import Phase


@pytest.fixture(scope="module")
def known():
    return catalogue.load()


@pytest.fixture
def room(known):
    return Room(known)


def tell(room, name, **what):
    room.report(name, parse_report(what, room.catalogue))


def of(view, number):
    return next(n for n in view["notebooks"] if n["number"] == number)


def test_the_catalogue_has_every_exercise_question_and_cause(known):
    assert [*known.notebooks] == [each[:2] for each in course_places().names()]
    assert known.exercises["02/my_step"].title == "Fix"
    assert "divided" in known.exercises["02/my_step"].mistakes["divided_twice"]
    assert "21/my_name_1" in known.exercises and known.question("21") is None
    assert known.question("02").chosen("C") == ("C",)
    assert known.question("02").chosen("E") is None
    ticks = known.question("04")
    assert len(ticks.chosen(ticks.answer)) == 7
    assert ticks.chosen("A") is None and ticks.chosen("yy " * 5 + "yx") is None


def test_the_catalogue_is_kept_for_one_version_of_the_sources(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "_describe", lambda notebooks: "[]")
    (tmp_path / "catalogue-older.json").write_text("[]")
    assert catalogue.load(folder=tmp_path).notebooks == {}
    monkeypatch.setattr(catalogue, "_describe", None)
    assert catalogue.load(folder=tmp_path).notebooks == {}
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"3", b"\xff\xfe", b"{", b"[" * 100_000, b'{"a":' * 50_000],
    ids=["nothing", "list", "number", "no text", "half", "deep list", "deep object"],
)
def test_what_is_no_object_is_refused(body):
    with pytest.raises(Refused):
        parse_body(body)


@pytest.mark.parametrize(
    "data",
    [
        {"outcomes": []},
        {"outcomes": {"02/my_step": 3}},
        {"mistakes": {"02/my_step": ["x"]}},
        {"opened": {"02": True}},
        {"opened": {"02": 1.5}},
        {"saves": {"02": -1}},
        {"saves": {"02": 10**400}},
        {"predictions": {"02": None}},
        {"outcomes": {str(n): "RIGHT" for n in range(5000)}},
    ],
)
def test_tables_of_another_type_are_refused(data, known):
    with pytest.raises(Refused):
        parse_report(data, known)


def test_what_the_course_does_not_know_is_left_out(known):
    report = parse_report(
        {
            "name": "somebody else",
            "outcomes": {"02/my_step": "<script>", "99/x": "RIGHT"},
            "mistakes": {"02/my_step": "<img src=x>", "02/my_finite_step": "no_update"},
            "opened": {"02": 1, "99": 1},
            "predictions": {"02": "Z", "04": "C", "03": "B"},
        },
        known,
    )
    assert report == Report(
        mistakes={"02/my_finite_step": "no_update"},
        opened={"02": 1},
        predictions={"03": "B"},
    )


def test_a_room_of_thirty_is_counted(room):
    for index, name in enumerate(NAMES):
        tell(room, name, **tables(index))
    view = instructor_view(room)
    assert view["learners"] == 30 and (view["now"], view["atNow"]) == ("02", 22)
    second = of(view, "02")
    assert (second["started"], second["solvedOne"], second["solvedAll"]) == (22, 17, 0)
    step = second["exercises"][1]
    assert (step["tried"], step["solved"]) == (17, 5)
    assert step["mistakes"][0]["now"] == 9
    assert step["mistakes"][0]["cause"].startswith("the step is as many times")
    assert of(view, "01")["exercises"][1]["tried"] == 15  # NOT ATTEMPTED is no attempt
    assert of(view, "05")["started"] == 0


def test_a_mistake_that_is_mended_was_still_met(room):
    tell(room, "ada", mistakes={"02/my_step": "divided_twice"}, opened={"02": 1})
    tell(room, "ada", outcomes={"02/my_step": "RIGHT"}, opened={"02": 1})
    (mistake,) = of(instructor_view(room), "02")["exercises"][1]["mistakes"]
    assert (mistake["now"], mistake["met"]) == (0, 1)


def test_each_of_several_signs_is_counted(room):
    tell(room, "ada", mistakes={"09/my_train": "eager+reads"}, opened={"09": 1})
    tell(room, "bob", mistakes={"09/my_train": "reads"}, opened={"09": 1})
    view = instructor_view(room)
    exercise = of(view, "09")["exercises"][1]
    assert [each["now"] for each in exercise["mistakes"]] == [2, 1]
    assert exercise["mistakes"][0]["cause"].startswith("the host reads a value")
    assert sorted(len(person["mistakes"]) for person in view["people"]) == [1, 2]


@pytest.mark.parametrize("code", ["reads+eager", "eager+eager", "eager+x", "+", ""])
def test_signs_joined_as_no_check_joins_them_are_left_out(known, code):
    assert parse_report({"mistakes": {"09/my_train": code}}, known) == Report()


def test_where_something_changed_last_is_where_a_learner_is(room):
    tell(room, "ada", opened={"02": 1, "05": 1})
    assert room.learner("ada").at == "05"
    tell(room, "ada", opened={"02": 2, "05": 1})
    assert room.learner("ada").at == "02"


def test_who_teaches_is_not_counted(room):
    tell(room, "teacher", opened={"02": 1})
    room.is_instructor("teacher")
    assert instructor_view(room)["learners"] == 0


def test_names_are_hidden_shown_and_hidden_again(room):
    tell(room, "ada", opened={"02": 1})
    number = room.learner("ada").number

    def shown():
        return instructor_view(room)["people"][0]["label"]

    assert shown() == f"Learner {number}"
    room.show_name("ada", True)
    assert shown() == "ada"
    room.show_name("ada", False)
    assert "ada" not in json.dumps(instructor_view(room))
    assert shown() != f"Learner {number}"  # the old number would tell who it is


def test_vote_discuss_vote_again_reveal(room):
    for index, name in enumerate(NAMES[:10]):
        tell(room, name, opened={"02": 1}, **_predicted(prediction(index), 1))
    room.instruct("open", "02")
    vote = instructor_view(room)["vote"]
    assert vote["voted"] == {"first": 10} and vote["counts"] is None
    room.instruct("show")
    assert instructor_view(room)["vote"]["counts"]["first"]["C"] == 3
    room.instruct("discuss")
    assert instructor_view(room)["vote"]["counts"] is None
    tell(room, NAMES[0], opened={"02": 1}, **_predicted("A", 2))  # the same, saved anew
    tell(room, NAMES[1], opened={"02": 5}, **_predicted("B", 1))  # not saved anew
    room.vote(NAMES[2], "C")
    room.vote(NAMES[2], "D")
    room.instruct("reveal")
    counts = instructor_view(room)["vote"]["counts"]
    assert counts["first"] == {"A": 3, "B": 3, "C": 3, "D": 1}
    assert counts["second"] == {"A": 1, "B": 0, "C": 0, "D": 1}
    with pytest.raises(Refused):
        room.vote(NAMES[3], "C")
    room.instruct("close")
    assert room.ballot is None and room.past[0].phase is Phase.REVEALED


def _predicted(answer, saves):
    return {"predictions": {"02": answer}, "saves": {"02": saves}}


def test_a_server_heard_of_late_casts_no_second_vote(room):
    room.instruct("open", "02")
    room.instruct("discuss")
    tell(room, "ada", **_predicted("A", 3))
    assert room.ballot.second == {}
    tell(room, "ada", **_predicted("A", 4))
    assert room.ballot.second == {"ada": "A"}


def test_a_report_that_comes_again_does_not_undo_a_vote_on_the_phone(room):
    tell(room, "ada", **_predicted("A", 1))
    room.instruct("open", "02")
    room.vote("ada", "C")
    tell(room, "ada", **_predicted("A", 1))
    assert room.ballot.first == {"ada": "C"}


@pytest.mark.parametrize(
    ("before", "action"),
    [
        ([], "discuss"),
        ([], "close"),
        (["open"], "open"),
        (["open", "discuss"], "discuss"),
        (["open", "reveal"], "discuss"),
        (["open", "reveal"], "show"),
        (["open", "reveal"], "cancel"),
        ([], "cancel"),
        (["open"], "<script>"),
    ],
)
def test_steps_out_of_order_are_refused(room, before, action):
    for step in before:
        room.instruct(step, "02")
    with pytest.raises(Refused):
        room.instruct(action, "02")


def test_a_vote_is_news_until_one_has_voted_in_it(room):
    tell(room, "ada"), tell(room, "bob")
    waits = lambda name: news_view(room, name)["vote"]  # noqa: E731
    assert waits("ada") is None
    room.instruct("open", "02")
    assert waits("ada") == {"title": room.title("02"), "second": False}
    room.vote("ada", "A")
    assert waits("ada") is None and waits("bob")
    room.instruct("discuss")
    assert waits("ada") == {"title": room.title("02"), "second": True}
    room.instruct("reveal")
    assert waits("ada") is None


def test_a_cancelled_vote_leaves_nothing(room):
    room.instruct("open", "02")
    room.vote("ada", "A")
    room.instruct("cancel")
    assert room.ballot is None and room.past == []
    room.instruct("open", "02")
    assert room.ballot.first == {}


def test_a_pinned_notebook_is_shown_wherever_the_room_is(room):
    tell(room, "ada", opened={"02": 1})
    room.instruct("pin", "05")
    assert wall_view(room)["now"] == wall_view(room)["notebook"]["number"] == "05"
    with pytest.raises(Refused):
        room.instruct("pin", "77")
    room.instruct("unpin")
    assert wall_view(room)["now"] == "02"


def test_the_wall_has_nobody_on_it(room):
    for index, name in enumerate(NAMES):
        tell(room, name, **tables(index))
        room.show_name(name, True)
    room.raise_hand(NAMES[0], True)
    room.instruct("open", "02")
    assert not [name for name in NAMES if name in json.dumps(wall_view(room))]


@pytest.mark.parametrize(
    ("text", "options", "right"),
    [
        ("", ["a", "b"], None),
        ("x" * 301, ["a", "b"], None),
        ("A break?", ["yes", " "], None),
        ("A break?", list("abcdefg"), None),
        ("A break?", ["yes", "n" * 151], None),
        ("A break?", ["yes", "no"], "C"),
    ],
)
def test_a_question_of_ones_own_that_nobody_could_answer_is_refused(
    room, text, options, right
):
    with pytest.raises(Refused):
        room.ask(text, options, right)
    assert room.own == {}


@pytest.mark.parametrize("right", [None, "B"])
def test_a_question_of_ones_own_is_voted_on_like_the_others(room, right):
    number = room.ask(" A  break? ", ["yes", "", "later"], right)
    room.instruct("open", number)
    room.vote("ada", "B")
    with pytest.raises(Refused):
        room.vote("bob", "C")
    assert learner_view(room, "ada")["title"] == "A question to the room"
    assert learner_view(room, "ada")["question"].text == "A break?"
    room.instruct("reveal")
    said = learner_view(room, "ada")["right"]
    assert said == ("It was B: later" if right else "")
    assert instructor_view(room)["vote"]["counts"]["first"] == {"A": 0, "B": 1}


def test_a_phone_votes_by_the_code_once_and_is_no_learner(room):
    room.instruct("open", "02")
    with pytest.raises(Refused):
        room.join("AAAAA")
    with pytest.raises(Refused):
        room.vote("phone:0000", "A")
    phone = room.join(f" {room.code.lower()} ")
    room.vote(phone, "A")
    room.vote(phone, "B")
    room.instruct("reveal")
    view = wall_view(room)
    assert view["vote"]["counts"]["first"]["B"] == 1 == view["vote"]["voted"]["first"]
    assert view["learners"] == 0 and view["phones"] == 1
    told = json.loads(export.as_json(room))
    assert told["learners"] == [] and told["votes"][0]["phones"]["first"] == {"B": 1}
    assert "phone:" not in json.dumps(told) + json.dumps(view)


def test_hands_are_raised_and_taken_down(room):
    room.raise_hand("ada", True)
    room.raise_hand("bob", True)
    by_number = {one["number"]: one["hand"] for one in instructor_view(room)["people"]}
    assert all(by_number.values())
    room.instruct("lower", str(room.learner("ada").number))
    assert not learner_view(room, "ada")["hand"] and learner_view(room, "bob")["hand"]
    room.raise_hand("bob", False)
    assert not learner_view(room, "bob")["hand"]


def test_a_page_hears_of_a_hand_that_was_up_only_for_a_moment(room):
    """A hand that goes up and down between two looks of the stream is still news."""
    stream = SimpleNamespace(service=SimpleNamespace(room=room), name="ada")
    before = LearnerStream.message(stream)
    assert LearnerStream.message(stream) == before
    room.raise_hand("ada", True)
    room.instruct("lower", str(room.learner("ada").number))
    assert LearnerStream.message(stream) != before


def attempt(room, tries, mistake="divided_twice", outcome="WRONG"):
    name = "02/my_step"
    mistakes = {name: mistake} if mistake else {}
    tell(room, "ada", outcomes={name: outcome}, mistakes=mistakes, tries={name: tries})
    (one,) = instructor_view(room)["people"]
    return one["last"]


def test_the_same_mistake_again_is_counted_and_another_begins_anew(room):
    assert attempt(room, 1)["same"] == 1
    assert attempt(room, 1)["same"] == 1  # the same report came again
    assert attempt(room, 2)["same"] == 2
    assert attempt(room, 4)["same"] == 4  # two attempts within one report
    assert attempt(room, 5, mistake=None)["same"] == 0
    assert attempt(room, 6)["same"] == 1
    assert attempt(room, 6)["tries"] == 6
    assert attempt(room, 7, mistake=None, outcome="RIGHT") is None


def test_ticks_are_voted_on_and_counted(room):
    room.instruct("open", "04")
    room.vote("ada", room.catalogue.question("04").answer)
    room.vote("bob", "nn nn nn nn nn nn")
    with pytest.raises(Refused):
        room.vote("bob", "C")
    room.instruct("reveal")
    counts = instructor_view(room)["vote"]["counts"]["first"]
    assert sum(counts.values()) == 7 and set(counts.values()) == {0, 1}
    assert learner_view(room, "bob")["first"] == "0 of 12 ticked"
    assert learner_view(room, "bob")["right"].startswith("These are yes: ")


def test_a_learner_sees_no_votes_of_others_and_no_answer_before_the_end(room):
    room.instruct("open", "02")
    room.vote("ada", "A")
    view = learner_view(room, "bob")
    assert view["first"] is None and view["right"] is None
    assert "ada" not in repr(view)
    room.instruct("reveal")
    assert learner_view(room, "ada")["right"].startswith("It was C: The copy of")


def test_everything_comes_back_after_a_restart(room, known, tmp_path):
    for index, name in enumerate(NAMES):
        tell(room, name, **tables(index))
    room.show_name(NAMES[0], True)
    room.instruct("open", "02")
    room.vote(NAMES[1], "B")
    room.vote(room.join(room.code), "A")
    room.instruct("discuss")
    room.instruct("pin", "05")
    room.raise_hand(NAMES[2], True)
    room.ask("A break?", ["yes", "no"])
    file = tmp_path / "room.json"
    store.Keeper(file, room.to_data).write()
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    again = Room(known)
    again.restore(store.load(file))
    assert instructor_view(again) == instructor_view(room)
    assert again.to_data() == room.to_data()
    (tmp_path / ".part-room.json-x").write_text("of a service that was killed")
    store.forget(file)
    assert list(tmp_path.iterdir()) == []
    store.forget(file)


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 50_000], ids=range(4))
def test_a_damaged_state_begins_empty(tmp_path, text):
    file = tmp_path / "room.json"
    file.write_text(text)
    assert store.load(file) is None


def test_a_full_disk_ends_nothing(tmp_path, caplog):
    file, data = tmp_path / "room.json", {"kept": 1}
    keeper = store.Keeper(file, lambda: data)
    keeper.write()
    data["kept"] = "x" * 10_000
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, limits[1]))  # no file grows on
    try:
        keeper.write()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "could not be written" in caplog.text
    assert store.load(file) == {"kept": 1}
    assert list(tmp_path.iterdir()) == [file]
    keeper.write()
    assert store.load(file) == data


def test_the_export_names_only_who_agreed_and_holds_no_formula(room):
    tell(room, "ada", outcomes={"02/my_step": "RIGHT"})
    tell(room, "=cmd()", outcomes={"02/my_step": "WRONG"})
    tell(room, "bob", outcomes={"02/my_step": "CRASHED"})
    room.show_name("=cmd()", True)
    room.show_name("ada", True)
    room.instruct("open", "02")
    room.vote("bob", "A")
    told = json.loads(export.as_json(room))
    number = room.learner("bob").number
    assert {one["learner"] for one in told["learners"]} == {
        "ada",
        "=cmd()",
        f"Learner {number}",
    }
    assert told["votes"][0]["first"] == {f"Learner {number}": "A"}
    rows = list(csv.reader(io.StringIO(export.as_csv(room))))
    assert [row[0] for row in rows[1:]] == ["ada", "'=cmd()", f"Learner {number}"]
    assert "bob" not in export.as_csv(room) + export.as_json(room)


def test_the_hubs_settings_keep_what_was_there():
    c = Config()
    c.JupyterHub.load_roles.append({"name": "user", "scopes": ["self", "shares"]})
    c.JupyterHub.services = [{"name": "other"}]
    c.Spawner.environment = {"A": "b"}
    add_room(c, instructors=["grace"], report_url="http+unix://x/")
    hub = c.JupyterHub
    assert [service["name"] for service in hub.services] == ["other", "room"]
    roles = {role["name"]: role for role in hub.load_roles}
    access = "access:services!service=room"
    assert roles["user"]["scopes"] == ["self", "shares", access]
    assert access in roles["server"]["scopes"]
    assert "custom:room:instruct" not in roles["server"]["scopes"]
    assert roles["room-instructor"]["users"] == ["grace"]
    assert c.Spawner.environment == {"A": "b", "COURSE_ROOM_URL": "http+unix://x/"}
