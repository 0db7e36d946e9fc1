"""The service behind a real hub: who may what, attacks, restarts, a real server."""

import json
import re
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote, urlencode

import pytest
from room_class import FORM
from room_hub import left_behind, running_hub, wait

from course.learner import progress
from course.learner.progress import Progress
from workshop.room.phone_pages import WRONG_CODES
from workshop.room.signed_in import UNKNOWN_TOKENS

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("room")]

MEMORY_MB = 100  # of the service (PSS); the hub's own client is most of it
INSTRUCTORS_ONLY = ["", "texts", "stream", "export.json", "export.csv", "wall"]
INSTRUCTORS_ONLY += ["wall/stream", "code.svg", "day", "day/state", "day/submissions"]
INSTRUCTORS_ONLY += [
    "day/marks",
    "day/results/report.html",
    "day/feedback/ada/02/02.html",
]


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hub")
    with running_hub(folder) as hub:
        yield hub
    assert left_behind(folder) == []


def exported(hub):
    return json.loads(hub.send("export.json", "teacher").text)


def outcomes(hub, name):
    """What the room knows of a learner, who shows the name for that."""
    named = hub.send("me/name", name, "named=yes", headers=FORM)
    assert named.status == 303, named
    return next(
        one["outcomes"] for one in exported(hub)["learners"] if one["learner"] == name
    )


@pytest.mark.parametrize("path", [*INSTRUCTORS_ONLY, "me", "me/part", "me/stream"])
def test_who_is_not_signed_in_sees_nothing(hub, path):
    answer = hub.ask("GET", f"/services/room/{path}")
    pages = ("", "me", "wall", "day")
    if path in pages or path.startswith(("day/results/", "day/feedback/")):
        assert (
            answer.status == 302 and "/oauth2/authorize" in answer.headers["location"]
        )
    else:
        assert answer.status == 403
    assert "02" not in answer.text


@pytest.mark.parametrize(
    "path",
    [
        *("report", "step", "ask", "me/vote", "me/name", "me/hand", "phone/vote"),
        *("day/run", "day/halt"),
    ],
)
def test_who_is_not_signed_in_changes_nothing(hub, path):
    for headers in ({}, {"Authorization": "token " + "0" * 32}):
        answer = hub.ask("POST", f"/services/room/{path}", body="{}", headers=headers)
        assert answer.status == 403


@pytest.mark.parametrize("path", INSTRUCTORS_ONLY)
def test_a_learner_sees_nothing_of_the_instructors(hub, path):
    answer = hub.send(path, "mallory")
    assert answer.status == 403 and "exercises" not in answer.text


def test_a_learner_leads_no_vote_and_no_day(hub):
    for action in ("open", "discuss", "show", "reveal", "close"):
        step = {"action": action, "number": "02"}
        assert hub.send("step", "mallory", step).status == 403
    own = {"text": "A break?", "options": ["yes", "no"]}
    assert hub.send("ask", "mallory", own).status == 403
    for path in ("day/run", "day/halt"):
        assert hub.send(path, "mallory", {"kind": "stop"}).status == 403
        # nothing of a workshop's folders is here
        assert hub.send(path, "teacher", {"kind": "stop"}).status == 404
    assert exported(hub)["votes"] == []


def test_pages_load_nothing_from_elsewhere_and_are_not_framed(hub):
    for name, path in (("teacher", ""), ("mallory", "me")):
        policy = hub.send(path, name).headers["content-security-policy"]
        assert "unsafe" not in policy and "frame-ancestors 'none'" in policy


@pytest.mark.parametrize(
    "path", ["library/plot.umd.js", "library/../package.json", "static/../service.py"]
)
def test_no_other_file_is_served(hub, path):
    answer = hub.ask("GET", f"/services/room/{path}", port=hub.room_port)
    assert answer.status in (403, 404)


def test_nobody_reports_for_another(hub):
    hub.report("alice", outcomes={"02/my_step": "WRONG"})
    forged = {
        "name": "alice",
        "user": {"name": "alice"},
        "learners": {"alice": {}},
        "outcomes": {"02/my_step": "RIGHT"},
    }
    assert hub.send("report", "mallory", forged).status == 204
    assert outcomes(hub, "alice") == {"02/my_step": "WRONG"}


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[1]",
        '{"outcomes": ' + "[" * 100_000,
        '{"outcomes": {"02/my_step": {"a": 1}}}',
        '{"opened": {"02": 1e400}}',
        b"\xff\x00".decode("latin-1"),
    ],
    ids=["nothing", "half", "list", "deep", "type", "infinite", "bytes"],
)
def test_a_malformed_report_is_refused(hub, body):
    assert hub.send("report", "mallory", body).status == 400
    hub.report("alice", opened={"03": 1})


def test_an_oversized_report_is_refused_before_it_is_read(hub):
    path, token = "/services/room/report", hub.token("mallory")
    with socket.create_connection(("127.0.0.1", hub.room_port), 10) as line:
        line.sendall(
            f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: token {token}\r\n"
            "Content-Length: 500000000\r\n\r\n".encode()
        )
        assert line.recv(100).startswith(b"HTTP/1.1 4")
    hub.report("alice", opened={"03": 2})


def test_scripts_in_names_and_codes_stay_text(hub):
    name = quote("<img src=x onerror=alert(1)>", safe="")
    hub.report(
        name,
        outcomes={"<script>": "RIGHT", "02/my_step": "<script>"},
        mistakes={"02/my_step": "<script>alert(1)</script>"},
        predictions={"02": "<script>"},
    )
    assert "<script>alert" not in hub.send("export.json", "teacher").text
    assert "<img" not in hub.send("me", name).text


def test_a_thousand_reports_at_once_are_limited_and_slow_nobody(hub):
    token = hub.token("trudy")  # whom no other test has asked as
    hub.token("alice")

    def flood(n):
        body = {"opened": {"05": n % 50 + 1}}
        path = "/services/room/report"
        return hub.ask("POST", path, token, body, port=hub.room_port).status

    with ThreadPoolExecutor(20) as pool:
        sent = [pool.submit(flood, n) for n in range(1000)]
        hub.report("alice", opened={"08": 1})
        answers = [each.result(60) for each in sent]
    assert set(answers) == {204, 429} and answers.count(204) < 100
    hub.report("alice", opened={"08": 2})


def test_unknown_tokens_are_limited_and_slow_nobody(hub):
    hub.report("alice", opened={"09": 1})

    def guess(n):
        path, token = "/services/room/report", f"{n:032x}"
        return hub.ask("POST", path, token, "{}", port=hub.room_port).status

    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(guess, range(300)))
    assert set(answers) == {403, 429}
    hub.report("alice", opened={"09": 2})
    # who was never heard of before waits until no guess counts any more
    time.sleep(UNKNOWN_TOKENS.get_expiry() + 0.5)
    hub.report("zoe", opened={"09": 1})


def test_slow_clients_hold_up_nobody(hub):
    lines = []
    for _ in range(200):
        line = socket.create_connection(("127.0.0.1", hub.room_port), 10)
        line.sendall(b"POST /services/room/report HTTP/1.1\r\nHost: x\r\nContent-Le")
        lines.append(line)
    hub.report("alice", opened={"10": 1})
    for line in lines:
        line.close()


def test_a_page_that_never_reads_holds_up_nobody(hub):
    token = hub.token("teacher")
    line = socket.create_connection(("127.0.0.1", hub.room_port), 10)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    line.sendall(
        "GET /services/room/stream HTTP/1.1\r\nHost: x\r\n"
        f"Authorization: token {token}\r\n\r\n".encode()
    )
    with line:
        for n in range(1, 20):
            hub.report("erin", opened={"10": n})


def test_a_vote_from_a_page_of_the_last_question_does_not_count(hub):
    step = {"action": "open", "number": "03"}
    assert hub.send("step", "teacher", step).status == 204
    stale = urlencode({"answer": "B", "number": "02", "phase": "first"})
    assert hub.send("me/vote", "bob", stale, headers=FORM).status == 303
    (vote,) = exported(hub)["votes"]
    assert vote["first"] == {}
    fresh = urlencode({"answer": "Z", "number": "03", "phase": "first"})
    assert hub.send("me/vote", "bob", fresh, headers=FORM).status == 409


class Stream(threading.Thread):
    """Listens to the instructor's stream."""

    def __init__(self, hub):
        super().__init__(daemon=True)
        self.lines, self._hub, self._token = [], hub, hub.token("teacher")
        self.start()

    def run(self):
        line = socket.create_connection(("127.0.0.1", self._hub.room_port), 30)
        line.sendall(
            "GET /services/room/stream HTTP/1.0\r\nHost: x\r\n"
            f"Authorization: token {self._token}\r\n\r\n".encode()
        )
        with line, line.makefile("rb") as file:
            for each in file:
                if each.startswith(b"data: "):
                    self.lines.append((time.monotonic(), json.loads(each[6:])))


def started(view, number):
    return next(n["started"] for n in view["notebooks"] if n["number"] == number)


def test_a_real_server_reports_through_the_socket(hub, record_property):
    """From the learner's progress file to the instructor's stream."""
    stream = Stream(hub)
    home = hub.start_server("carol")
    file = home / ".local/share/tf-parallel-course/progress.json"
    file.parent.mkdir(parents=True)
    wait(lambda: "carol" in hub.state.read_text())
    waited = []
    for number in ("11", "12", "13"):
        part = file.with_suffix(".part")
        part.write_text(progress.to_text(Progress(opened={number: 1})))
        begin = time.monotonic()
        part.rename(file)
        come = lambda n=number: [  # noqa: E731
            at for at, view in stream.lines if started(view, n)
        ]
        waited.append(wait(come, 6)[0] - begin)
    record_property(
        "measured", f"progress file to instructor's page: {max(waited):.1f} s of 2"
    )
    assert max(waited) < 3 * 2


def test_a_service_that_is_killed_comes_back_with_everything(hub, record_property):
    hub.report("dave", outcomes={"02/my_step": "CRASHED"})
    process = hub.service_process()
    used = process.memory_full_info().pss / 2**20
    record_property("measured", f"the room's service: {used:.0f} MB of {MEMORY_MB}")
    before = exported(hub)
    process.kill()
    process.wait(10)
    hub.wait_for_room()
    assert exported(hub) == before
    assert hub.service_process().pid != process.pid
    assert used < MEMORY_MB


def test_who_guesses_the_code_is_slowed_down_and_phones_inside_vote_on(hub):
    join = "/services/room/join?code="
    wall = hub.send("wall", "teacher").text
    code = re.search(r"join<br><b>(\w{5})</b>", wall)[1]
    joined = hub.ask("GET", join + code)
    cookie = joined.headers["set-cookie"].partition(";")[0]
    assert "HttpOnly" in joined.headers["set-cookie"]
    said = [hub.ask("GET", f"{join}{n:05}").text for n in range(WRONG_CODES.amount + 1)]
    assert "not the code" in said[0] and "Wait a minute" in said[-1]
    assert "Wait a minute" in hub.ask("GET", join + code).text  # not even the right one
    inside = {"Cookie": cookie}
    assert hub.ask("GET", "/services/room/phone", headers=inside).status == 200
    forged = {"Cookie": cookie[:-3] + "aaa"}
    assert hub.ask("GET", "/services/room/phone/part", headers=forged).status == 302


def test_a_question_that_is_no_question_is_refused_in_words(hub):
    hub.send("step", "teacher", {"action": "close"})  # what an earlier test left open
    for own, status in (
        ({"text": 3, "options": ["a", "b"]}, 400),
        ({"text": "A break?", "options": "ab"}, 400),
        ({"text": "A break?", "options": [1, 2]}, 400),
        ({"text": "A break?", "options": ["yes"]}, 409),
    ):
        answer = hub.send("ask", "teacher", own)
        assert answer.status == status
    assert json.loads(answer.text)["error"] == "a question has 2 to 6 answers"
