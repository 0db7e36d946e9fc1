"""A learner's server reports what changed, and is never kept from its work."""

import asyncio
import json
import logging
import os
import subprocess
import sys
import time

import pytest
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application, RequestHandler

from course.learner import progress
from course.learner.progress import Progress
from workshop.inside.files import LIMIT, read_regular, stamp
from workshop.inside.live_view import _load_jupyter_server_extension
from workshop.inside.reporter import Reporter, to_report


class Here(RequestHandler):
    """A service that writes down what it is told."""

    def initialize(self, told, answers):
        self.told, self.answers = told, answers

    async def post(self):
        answer = self.answers.pop(0) if self.answers else 204
        if answer == "never":
            await asyncio.sleep(30)
        self.told.append((self.request.headers["Authorization"], self.request.body))
        self.set_status(answer)


class Told(list):
    """What the service was told; `answers` are its next statuses."""

    def __init__(self):
        self.answers = []

    def newest(self):
        return json.loads(self[-1][1])


def with_service(scenario):
    """Run `scenario(reporter, told)` beside a service, within ten seconds."""

    async def run():
        told = Told()
        settings = {"told": told, "answers": told.answers}
        server = HTTPServer(Application([("/room/report", Here, settings)]))
        sock, port = bind_unused_port()
        server.add_socket(sock)
        log = logging.getLogger("test")
        reporter = Reporter(f"http://127.0.0.1:{port}/room/", "secret", log)
        try:
            await asyncio.wait_for(scenario(reporter, told), 10)
        finally:
            server.stop()
            await server.close_all_connections()

    asyncio.run(run())


def test_what_changed_is_told_once_and_again_after_a_while():
    async def scenario(reporter, told):
        await reporter.look()
        assert told.newest()["outcomes"] == {}  # no file yet, but somebody is here
        progress.save(
            Progress(
                {"02/my_step": "WRONG"},
                {"02/my_step": "a fingerprint is nobody's business"},
                {"02": {"answer": "B", "sure": "certain"}},
                {"02/my_step": "divided_twice"},
                {"02": 1},
                {"02": 2},
                tries={"02/my_step": 3},
            )
        )
        await reporter.look()
        await reporter.look()
        assert len(told) == 2
        assert told[-1][0] == "token secret"
        assert told.newest() == {
            "outcomes": {"02/my_step": "WRONG"},
            "mistakes": {"02/my_step": "divided_twice"},
            "opened": {"02": 1},
            "saves": {"02": 2},
            "predictions": {"02": "B"},
            "tries": {"02/my_step": 3},
        }
        reporter._again = 0.0
        await reporter.look()
        assert len(told) == 3 and told[-1] == told[-2]

    with_service(scenario)


def test_what_did_not_arrive_is_told_later_in_its_newest_state():
    async def scenario(reporter, told):
        told.answers += [503, 429]
        progress.save(Progress(opened={"02": 1}))
        await reporter.look()
        waited = reporter._next - time.monotonic()
        assert 0 < waited < 2
        await reporter.look()
        assert len(told) == 1  # not before the wait is over
        reporter._next = 0.0
        await reporter.look()
        assert reporter._wait > 1
        progress.save(Progress(opened={"03": 1}))
        reporter._next = 0.0
        await reporter.look()
        assert told.newest()["opened"] == {"03": 1}
        assert reporter._wait == 0

    with_service(scenario)


def test_what_the_service_refuses_is_not_told_again():
    async def scenario(reporter, told):
        told.answers += [400]
        await reporter.look()
        await reporter.look()
        assert len(told) == 1

    with_service(scenario)


def test_a_service_that_never_answers_blocks_nothing(monkeypatch):
    monkeypatch.setattr("workshop.inside.reporter.REQUEST_SECONDS", 0.3)

    async def scenario(reporter, told):
        told.answers += ["never"]
        looking = asyncio.ensure_future(reporter.look())
        ticks = 0
        while not looking.done():
            await asyncio.sleep(0.01)
            ticks += 1
        assert ticks > 5 and reporter._wait > 0

    with_service(scenario)


def test_nobody_listening_raises_nothing(caplog):
    log = logging.getLogger("test")
    reporter = Reporter("http+unix://%2Fnone%2Froom.sock/", "t", log)

    async def twice():
        await reporter.look()
        reporter._next = 0.0
        await reporter.look()

    asyncio.run(twice())
    assert len(caplog.records) == 1


def _link(path):
    path.symlink_to("/etc/passwd")


MADE = {
    "a link": _link,
    "a pipe": os.mkfifo,
    "a folder": lambda path: path.mkdir(),
    "too large": lambda path: path.write_text(" " * (LIMIT + 1)),
    "no text": lambda path: path.write_bytes(b"\xff\xfe\x00"),
    "damaged": lambda path: path.write_text("{"),
    "deep": lambda path: path.write_text("[" * 100_000),
    "a long number": lambda path: path.write_text("1" * 100_000),
    "another shape": lambda path: path.write_text('{"outcomes": [1]}'),
}


@pytest.mark.parametrize("made", MADE)
def test_whatever_lies_in_the_place_of_the_file_is_left_alone(made, tmp_path):
    path = tmp_path / "progress.json"
    MADE[made](path)
    begin = time.monotonic()
    assert to_report(path) is None
    assert time.monotonic() - begin < 5  # a pipe that is waited for never ends
    assert os.path.lexists(path)


def test_a_file_with_no_name_or_no_rights_is_no_file(tmp_path):
    assert stamp(tmp_path / "a\0b") is None and read_regular(tmp_path / "a\0b") is None
    assert read_regular(tmp_path / "none") is None


def test_an_answer_of_half_a_character_is_told(tmp_path):
    path = tmp_path / "progress.json"
    path.write_text('{"outcomes": {"02/my_step": "\\ud800"}}')
    assert json.loads(to_report(path))["outcomes"]["02/my_step"] == "\ud800"


class Server:
    """As much of a Jupyter server as the extension uses."""

    def __init__(self):
        self.log = logging.getLogger("test")
        self.io_loop = self
        self.started = []

    def add_callback(self, callback):
        self.started.append(callback)


def test_outside_a_workshop_nothing_happens(monkeypatch):
    monkeypatch.delenv("COURSE_ROOM_URL", raising=False)
    monkeypatch.setenv("JUPYTERHUB_API_TOKEN", "secret")
    server = Server()
    _load_jupyter_server_extension(server)
    assert server.started == []
    monkeypatch.setenv("COURSE_ROOM_URL", "http://127.0.0.1:9/")
    _load_jupyter_server_extension(server)
    assert len(server.started) == 1


def test_without_jupyterhub_one_line_says_so(monkeypatch, caplog):
    monkeypatch.setenv("COURSE_ROOM_URL", "http://127.0.0.1:9/")
    monkeypatch.setenv("JUPYTERHUB_API_TOKEN", "secret")
    monkeypatch.setitem(sys.modules, "workshop.inside.reporter", None)
    server = Server()
    _load_jupyter_server_extension(server)
    assert server.started == [] and len(caplog.records) == 1


def test_the_extension_alone_imports_nothing_large():
    code = (
        "import workshop.inside.live_view, sys; print([name for name in sys.modules if "
        "name.split('.')[0] in ('jupyterhub', 'aiohttp', 'tensorflow', 'tornado')])"
    )
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60
    )
    assert said.stdout.strip() == "[]", said


def test_a_look_at_an_unchanged_file_costs_next_to_nothing(record_property):
    async def scenario(reporter, told):
        progress.save(Progress(opened={"02": 1}))
        await reporter.look()
        begin = time.perf_counter()
        for _ in range(1000):
            await reporter.look()
        each = (time.perf_counter() - begin) * 1000
        record_property("measured", f"a look each second at progress: {each:.0f} us")
        assert len(told) == 1

    with_service(scenario)
