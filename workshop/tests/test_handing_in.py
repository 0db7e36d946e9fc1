"""From the notebook: hand in and hear what arrived; hear that feedback is there."""

import json
import logging

import nbformat
import pytest
from nbgrader.server_extensions.assignment_list.handlers import AssignmentList
from nbgrader.utils import notebook_hash

from autograder.places import COURSE_ID, course_places
from course.checks.verdicts import MIME_TYPE
from workshop.inside.exchange import Exchange, Refused
from workshop.inside.handing_in import News
from workshop.inside.votes import Votes

NAME = "02_replicas_drift_apart"
SETTINGS = """
c = get_config()
c.CourseDirectory.course_id = {COURSE_ID!r}
c.Exchange.root = {root!r}
c.Exchange.cache = {cache!r}
"""


class Learner:
    """A learner's folder and their part of an exchange."""

    def __init__(self, folder):
        self.mine, self.shared = folder / "mine", folder / "exchange"
        for each in ("inbound", "feedback", "outbound"):
            (self.shared / COURSE_ID / each).mkdir(parents=True)
        self.mine.mkdir()
        settings = SETTINGS.format(
            COURSE_ID=COURSE_ID, root=str(self.shared), cache=str(folder / "cache")
        )
        (folder / "nbgrader_config.py").write_text(settings)
        self.notebook = nbformat.read(course_places().learner(NAME), as_version=4)
        (self.shared / COURSE_ID / "outbound" / NAME).mkdir()
        self.save(self.shared / COURSE_ID / "outbound")
        manager = AssignmentList()
        manager.root_dir = str(self.mine)
        self.exchange = Exchange(manager)

    def save(self, folder=None):
        path = (folder or self.mine) / NAME / f"{NAME}.ipynb"
        path.parent.mkdir(exist_ok=True)
        nbformat.write(self.notebook, path)

    def check(self, exercise, *outcomes):
        """Let the check of an exercise show these verdicts."""
        (cell,) = (
            cell
            for cell in self.notebook.cells
            if cell.metadata.get("nbgrader", {}).get("grade_id") == f"{exercise}-check"
        )
        cell.outputs = [
            nbformat.v4.new_output("display_data", {MIME_TYPE: {"outcome": each}})
            for each in outcomes
        ]

    def release_feedback(self, text):
        """What `course workshop feedback` does for their newest submission."""
        newest = max((self.shared / COURSE_ID / "inbound").iterdir())
        secret = (newest / "submission_secret.txt").read_text()
        name = notebook_hash(secret=secret, notebook_id=NAME)
        page = self.shared / COURSE_ID / "feedback" / f"{name}.html"
        page.with_suffix(".part").write_text(text)
        page.with_suffix(".part").rename(page)


@pytest.fixture
def learner(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path))
    learner = Learner(tmp_path)
    monkeypatch.chdir(learner.mine)  # as a session's server
    return learner


def test_the_answer_names_what_arrived(learner):
    learner.check("my_first_drift", "WRONG", "RIGHT")
    learner.save()
    said = learner.exchange.hand_in(NAME)
    assert said.answers == "RIGHT in it: 1 of 4; not my_step, my_alike_step, 1 more."
    (arrived,) = (learner.shared / COURSE_ID / "inbound").iterdir()
    assert f"{said.at:%Y-%m-%d %H:%M:%S}" in arrived.name

    for exercise in ("my_step", "my_alike_step", "my_finite_step"):
        learner.check(exercise, "RIGHT")
    learner.save()
    again = learner.exchange.hand_in(NAME)
    assert again.answers == "RIGHT in it: 4 of 4." and again.at > said.at


def test_what_cannot_be_handed_in_is_said(learner):
    with pytest.raises(Refused, match="was not handed in"):
        learner.exchange.hand_in("02_replicas")
    (learner.mine / NAME).mkdir()
    (learner.mine / NAME / f"{NAME}.ipynb").write_text("{")
    assert "no notebook" in learner.exchange.hand_in(NAME).answers


def test_feedback_is_news_until_it_was_fetched(learner):
    news = News(learner.exchange, None)
    with pytest.raises(Refused, match="press Hand in first"):
        learner.exchange.fetch_feedback(NAME)
    learner.save()
    learner.exchange.hand_in(NAME)
    with pytest.raises(Refused, match="There is no feedback"):
        learner.exchange.fetch_feedback(NAME)
    assert news.now() == []

    for text in ("first", "once more"):  # a second time: a comment came
        learner.release_feedback(text)
        (one,) = news.now()
        assert (one["command"], one["name"]) == ("course:feedback", NAME)
        assert NAME in one["message"]
        page = learner.exchange.fetch_feedback(NAME).page
        news.look_again()
        assert (learner.mine / page).read_text() == text
        assert news.now() == []


def test_what_was_handed_out_is_news_until_it_is_there(learner):
    news = News(learner.exchange, None)
    (one,) = news.now()
    assert (one["command"], one["name"]) == ("course:get", NAME)
    learner.exchange.get_released()
    news.look_again()
    assert news.now() == []
    assert nbformat.read(learner.mine / NAME / f"{NAME}.ipynb", 4) == learner.notebook


def test_an_exchange_that_is_gone_is_no_news(learner):
    news = News(learner.exchange, None)
    learner.save()
    learner.exchange.hand_in(NAME)
    learner.shared.rename(learner.shared.with_name("gone"))
    assert news.now() == []
    learner.shared.with_name("gone").rename(learner.shared)
    learner.release_feedback("text")
    assert len(news.now()) == 1


def test_a_vote_is_news_as_long_as_it_waits():
    votes = Votes("http://127.0.0.1:9/", "secret", logging.getLogger("test"))
    news = News(None, votes)
    news._look = lambda: None
    vote = {"title": "02 · Drift", "second": True}
    for line in ("event: alive", "data:", "data: {", "data: 3", "", "retry: 1"):
        votes.take(f"{line}\n".encode())
        assert news.now() == []
    votes.take(f"data: {json.dumps({'vote': vote})}\n".encode())
    assert [each["message"] for each in news.now()] == [
        "The room votes once more: 02 · Drift."
    ]
    votes.take(b'data: {"vote": null}\n')
    assert news.now() == []
