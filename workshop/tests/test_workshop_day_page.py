"""What the page of the day may start, what it shows, and how a command of it ends."""

import asyncio
import json
import signal
import sqlite3
import sys
import time
from types import SimpleNamespace

import pytest
from workshop_room import copy_notebooks

from autograder.places import COURSE_ID, CourseError, course_places
from workshop import registered
from workshop.folders import Folders
from workshop.room import day_jobs
from workshop.room.catalogue import Catalogue, Exercise, Notebook
from workshop.room.day import KINDS, Day
from workshop.room.day_jobs import Jobs, written
from workshop.room.reports import Refused

NAME = "02_replicas_drift_apart"
SLOW = "import sys, time\nprint('1 of 3 graded', flush=True)\ntime.sleep(600)"
GRADING = f"""
from autograder.grading.stopping import Stop
try:
    with Stop().heeded():
        exec({SLOW!r})
except KeyboardInterrupt:
    raise SystemExit(130)
"""


@pytest.fixture
def day(tmp_path):
    """A day with one notebook, of which ada's was collected and mia waits."""
    course, folders = tmp_path / "course", Folders(tmp_path / "room")
    copy_notebooks(course, NAME)
    folders.make()
    places = course_places(course)
    handed_in = places.submitted("ada", NAME)
    handed_in.parent.mkdir(parents=True)
    handed_in.write_text("{}")
    inbound = folders.inbound(COURSE_ID, "ada")
    for time_of_day in ("10:00", "11:00"):
        (inbound / f"ada+{NAME}+{time_of_day}+x").mkdir(parents=True)
    with sqlite3.connect(folders.database) as database:
        database.execute("create table users_info (id, username, is_authorized)")
        rows = [(1, "mia", 0), (2, "bob", 1), (3, "max", 0)]
        database.executemany("insert into users_info values (?, ?, ?)", rows)
    known = Catalogue(
        [Notebook("02", "Drift", (Exercise("02/my_step", "A step", {}),), None)]
    )
    return Day(folders, places, known, register=True)


def test_each_button_is_a_command_that_an_instructor_could_type(day):
    own = f"--data {day.folders.data} --root {day.places.root}"
    root = f"--root {day.places.root}"
    ada = {"notebook": "02", "student": "ada"}
    mark = {**ada, "exercise": "02/my_step", "points": 1.5, "comment": "-- it's"}
    asked = {
        "collect": ({}, f"course workshop collect {own}"),
        "grade": ({}, f"course grade autograder/submitted {root}"),
        "again": (
            ada,
            f"course grade autograder/submitted --notebook 02 --student ada {root}",
        ),
        "mark": (
            mark,
            "course mark ada 02 02/my_step --points=1.5 "
            f"""'--comment=-- it'"'"'s' {root}""",
        ),
        "feedback": ({}, f"course workshop feedback {own}"),
        "release": ({"notebook": "02"}, f"course workshop release 02 {own}"),
        "practice": (
            {"part": 2, "seed": 7},
            f"course workshop release --practice 2 --seed 7 {own}",
        ),
        "approve": (
            {"names": ["mia"]},
            f"course workshop approve mia --data {day.folders.data}",
        ),
        "stop": ({}, f"course workshop stop --data {day.folders.data}"),
    }
    assert asked.keys() == set(KINDS)
    for kind, (values, command) in asked.items():
        assert written(day.words(kind, values)) == command
    cleared = written(day.words("mark", {**mark, "points": None, "comment": ""}))
    assert "--points=check --comment= " in cleared


def test_what_the_page_shows_has_places_for_what_is_chosen(day):
    shown = {kind: written(words) for kind, words in day.shown().items()}
    assert "release NN --data" in shown["release"]
    assert "release --practice PART --seed SEED --data" in shown["practice"]
    assert shown["grade"] == written(day.words("grade", {}))


ADA = {"notebook": "02", "student": "ada"}
STEP = {**ADA, "exercise": "02/my_step"}


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        ("words", {}),
        ("data", {}),
        ("name", {"notebook": "02"}),
        ("release", {"notebook": "--help"}),
        ("release", {"notebook": ["02"]}),
        ("release", {}),
        ("practice", {"part": 4, "seed": 1}),
        ("practice", {"part": 1, "seed": -1}),
        ("practice", {"part": 1, "seed": "1; rm"}),
        ("approve", {"names": []}),
        ("approve", {"names": ["bob"]}),
        ("approve", {"names": ["mia", "--data"]}),
        ("approve", {"names": "mia"}),
        ("again", {**ADA, "student": "bob"}),
        ("again", {**ADA, "student": "../ada"}),
        ("again", {**ADA, "student": "--student"}),
        ("again", {**ADA, "student": None}),
        ("mark", {**STEP, "exercise": "--json"}),
        ("mark", {**STEP, "points": "1"}),
        ("mark", {**STEP, "points": True}),
        ("mark", {**STEP, "comment": "x" * 5000}),
        ("mark", {**STEP, "comment": ["x"]}),
    ],
)
def test_nothing_else_can_be_started(day, kind, asked):
    with pytest.raises(Refused):
        day.words(kind, asked)


def test_it_counts_what_arrived_and_says_who_waits(day):
    (found,) = day.notebooks()
    assert (found["name"], found["handedIn"], found["graded"]) == (NAME, 1, 0)
    assert not found["released"]
    assert day.waiting() == ["mia", "max"]


def test_a_submission_has_its_state_and_its_points(day):
    (found,) = day.submissions("02")
    assert (found["student"], found["state"]) == ("ada", "not graded yet")
    results = day.places.results
    record = results / "records" / NAME / "ada.json"
    record.parent.mkdir(parents=True)
    time.sleep(0.02)  # a file system's clock is coarse
    record.write_text("{}")
    (results / "grades.csv").write_text(
        "assignment,student_id,core_score,core_max_score,further_score,"
        f"further_max_score,note\n{NAME},ada,4.0,7.0,0.0,8.0,\n"
    )
    (found,) = day.submissions("02")
    assert found["state"] == "graded"
    assert (found["core"], found["coreMost"], found["furtherMost"]) == (
        "4.0",
        "7.0",
        "8.0",
    )
    time.sleep(0.02)
    day.places.submitted("ada", NAME).write_text("{ }")
    (found,) = day.submissions("02")
    assert found["state"] == "graded, and a newer one has come"
    with pytest.raises(Refused):
        day.submissions("07")


@pytest.mark.parametrize(
    ("student", "name"),
    [("..", NAME), ("a/b", NAME), ("ada", "../../x"), ("bob", NAME)],
)
def test_only_feedback_pages_are_shown(day, student, name):
    page = day.places.feedback("ada", NAME)
    page.parent.mkdir(parents=True)
    page.write_text("page")
    assert day.page("ada", NAME) == page
    assert day.page(student, name) is None


def test_who_waits_is_let_in_and_nobody_else(day):
    with pytest.raises(CourseError, match=r"bob does not wait\. Who does: mia, max"):
        registered.approve(day.folders, ["mia", "bob"])
    assert registered.waiting(day.folders) == ["mia", "max"]
    assert registered.approve(day.folders, ["max"]) == ["max"]
    assert registered.approve(day.folders, []) == ["mia"]
    assert registered.waiting(day.folders) == []


@pytest.fixture
def jobs(tmp_path, monkeypatch):
    """Runs Python code in the place of the course's commands."""
    monkeypatch.setattr(day_jobs, "STARTED_WITH", (sys.executable, "-c"))
    return Jobs(tmp_path, tmp_path)


async def until(true):
    async with asyncio.timeout(30):
        while not true():
            await asyncio.sleep(0.05)


def test_what_a_command_says_and_how_it_ended_is_kept(jobs):
    async def go():
        job = await jobs.start("release", ["print('out'); raise SystemExit('no disk')"])
        await until(lambda: job.code is not None)
        return job

    job = asyncio.run(go())
    assert job.code == 1 and job.ended >= job.began
    assert job.lines() == ["out", "no disk"]


def test_one_command_on_the_class_at_a_time_and_a_grading_can_be_ended(jobs):
    async def go():
        job = await jobs.start("grade", [SLOW])
        await until(job.lines)
        assert job.lines() == ["1 of 3 graded"] and job.code is None
        for kind in ("collect", "mark", "grade"):
            with pytest.raises(Refused, match="is at work"):
                await jobs.start(kind, ["1"])
        await jobs.start("release", ["1"])  # who comes late need not wait
        jobs.halt("grade")
        await until(lambda: job.code is not None)
        with pytest.raises(Refused, match="has ended"):
            jobs.halt("grade")
        return await jobs.start("collect", ["1"])

    assert asyncio.run(go()).words == ("1",)


@pytest.fixture
def ctrl_c_ignored():
    """As in what a shell script starts in the background."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c_ignored")
@pytest.mark.parametrize(
    ("code", "ended"),
    [(GRADING, 130), (SLOW, -signal.SIGTERM)],
    ids=["grading", "still loading"],
)
def test_a_grading_is_paused_even_if_ctrl_c_is_ignored(jobs, code, ended):
    async def go():
        job = await jobs.start("grade", [code])
        try:
            await until(job.lines)
            jobs.halt("grade")
            await until(lambda: job.code is not None)
        finally:
            if job.code is None:
                job.process.kill()
        return job.code

    assert asyncio.run(go()) == ended


def test_only_a_grading_can_be_paused(jobs):
    async def go():
        job = await jobs.start("collect", ["1"])
        with pytest.raises(Refused, match="only a grading"):
            jobs.halt("collect")
        await until(lambda: job.code is not None)
        return job.code

    assert asyncio.run(go()) == 0


def test_an_answer_is_waited_for_but_not_for_ever(jobs):
    async def go():
        assert json.loads(await jobs.answer(["print([1])"], 30)) == [1]
        with pytest.raises(Refused, match="not there"):
            await jobs.answer(["raise SystemExit('not there')"], 30)
        with pytest.raises(Refused, match=r"within 0\.2 s"):
            await jobs.answer([SLOW], 0.2)

    asyncio.run(go())


def test_a_command_gets_nothing_of_the_services_secrets(jobs, monkeypatch):
    monkeypatch.setenv("JUPYTERHUB_API_TOKEN", "secret")

    async def go():
        code = "import os; print(os.environ.get('JUPYTERHUB_API_TOKEN'))"
        job = await jobs.start("feedback", [code])
        await until(lambda: job.code is not None)
        return job.lines(), await jobs.answer([code], 30)

    assert asyncio.run(go()) == (["None"], b"None\n")


def test_a_terminals_moves_are_no_text(tmp_path):
    job = SimpleNamespace(log=tmp_path / "log")
    job.log.write_text("\x1b[2K\r\x1b[32mgrading\x1b[0m 1\rgrading 2\n\n")
    assert day_jobs.Job.lines(job) == ["grading 1", "grading 2"]
