"""A whole workshop on loopback: sign in, attack, work, lose the hub, stop."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import urllib.request

import aiohttp
import psutil
import pytest
from workshop_room import running_room, wait

from autograder.answers.reading import find_answer, put_in
from autograder.places import course_places
from workshop import sessions, supervision, turns
from workshop.crowd import Learner

NAME = "02_replicas_drift_apart"
GB = 2**30

pytestmark = [
    pytest.mark.prove,
    pytest.mark.xdist_group("workshop"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


@pytest.fixture(scope="module")
def room():
    less = ("--memory", "1.6", "--disk", "0.2")
    with running_room((NAME,), ("ada", "bob", "eve"), *less) as found:
        yield found


@contextlib.asynccontextmanager
async def signed_in(room, name):
    """A learner with a running server."""
    async with Learner(room.url, name, room.password(name)) as learner:
        await learner.sign_in()
        yield learner


def work(room, name, job):
    """Let one learner do something; return what came of it."""

    async def run():
        async with signed_in(room, name) as learner:
            return await asyncio.wait_for(job(learner), 120)

    return asyncio.run(run())


async def evaluate(kernel, code):
    """Run code that assigns `found`; return it."""
    said = await kernel.run(f"{code}\nimport json; print(json.dumps(found))")
    assert not said.error, said
    return json.loads(said.text)


def answer_to_02(kind):
    return find_answer(course_places(), NAME, f"my_first_drift/{kind}")


def test_a_wrong_check_a_right_check_and_a_submission(room):
    async def job(learner):
        notebook = await learner.get(NAME)
        outcomes = []
        async with learner.kernel(NAME) as kernel:
            for kind in ("larger_limit", "loop"):
                put_in(notebook, answer_to_02(kind))
                for cell in notebook.cells:
                    if cell.cell_type == "code":
                        ran = await kernel.run(cell.source, cell)
                        if (
                            ran.verdict
                            and ran.verdict["exercise"] == "02/my_first_drift"
                        ):
                            outcomes.append(ran.verdict["outcome"])
        await learner.save(NAME, notebook)
        await learner.submit(NAME)
        return outcomes

    assert work(room, "ada", job) == ["WRONG", "RIGHT"]
    assert "New submissions: 1." in room.workshop("collect", "02")


def test_a_kernel_has_no_rights_no_secrets_and_is_counted(room):
    code = """
import os, resource
from pathlib import Path
status = dict(line.split(":\\t", 1) for line in
              Path("/proc/self/status").read_text().splitlines() if ":\\t" in line)
environ = Path("/proc/self/environ").read_bytes().decode()
found = {
    "rights": int(status["CapEff"], 16) | int(status["CapPrm"], 16)
              | int(status["CapBnd"], 16),
    "no_new": status["NoNewPrivs"],
    "tasks": resource.getrlimit(resource.RLIMIT_NPROC),
    "file": resource.getrlimit(resource.RLIMIT_FSIZE)[1] // 2**20,
    "files": os.listdir("/home"),
    "net": os.path.exists("/sys/class/net"),
    "secrets": [v for v in (*os.environ, *environ.split(chr(0)))
                if "CONFIGPROXY" in v or "SECRET" in v],
    "who": Path("/proc/1/comm").read_text().strip(),
    "warm": "workshop.zygote" in Path("/proc/self/cmdline").read_text(),
}
"""

    async def job(learner):
        async with learner.kernel(NAME) as kernel:
            return await evaluate(kernel, code)

    found = work(room, "bob", job)
    assert found == {
        "rights": 0,
        "no_new": "1",
        "tasks": [2000, 2000],
        "file": 1024,
        "files": ["jovyan"],
        "net": False,
        "secrets": [],
        "who": "bwrap",
        "warm": True,
    }


def asked(room, name, *requests):
    """What the hub and its proxy answer a learner: the status of each request."""

    async def job(learner):
        found = []
        for method, path, *body in requests:
            data = {"json": body[0]} if body else {}
            async with learner.http.request(
                method, f"{room.url}{path}", allow_redirects=False, **data
            ) as answer:
                found.append(answer.status)
        return found

    return work(room, name, job)


def test_a_learner_does_not_get_at_others(room):
    work(room, "ada", lambda learner: learner.get(NAME))  # her server runs
    refused = asked(
        room,
        "eve",
        ("GET", f"/user/ada/api/contents/{NAME}"),
        ("POST", "/user/ada/api/kernels", {"name": "python3"}),
        ("GET", "/user/ada/lab"),
        ("GET", "/user/teacher/api/contents"),
        ("GET", "/hub/api/users"),
        ("GET", "/hub/api/users/ada"),
        ("POST", "/hub/api/users/ada/tokens", {"note": "mine"}),
        ("POST", "/hub/api/users/ada/server"),
        ("DELETE", "/hub/api/users/ada/server"),
        ("POST", "/hub/api/users", {"usernames": ["mallory"], "admin": True}),
        ("PATCH", "/hub/api/users/eve", {"admin": True}),
        ("POST", "/hub/api/shutdown", {"servers": True, "proxy": True}),
        ("GET", "/hub/api/proxy"),
        ("GET", "/hub/authorize"),
        ("GET", "/hub/admin"),
        ("GET", "/hub/change-password/ada"),
    )
    assert set(refused) <= {302, 403, 404, 405}, refused
    assert asked(room, "eve", ("GET", "/hub/api/users/eve")) == [200]
    assert asked(room, "ada", ("GET", "/user/ada/api/status")) == [200]


def test_code_in_a_kernel_gets_no_more_from_the_hub_than_its_learner(room):
    code = """
import asyncio, os
from jupyterhub.httpclient import fetch
async def ask(path, token):
    answer = await fetch(os.environ["JUPYTERHUB_API_URL"] + path,
                         headers={"Authorization": "token " + token},
                         raise_for_status=False)
    return answer.status
token = os.environ["JUPYTERHUB_API_TOKEN"]
tries = [("/users", token), ("/users/ada", token), ("/user", token), ("/users", "x"),
         ("/proxy", token), ("/services", token)]
import threading
found = []
def run():
    async def all_of_them():
        for each in tries:
            found.append(await ask(*each))
    asyncio.run(all_of_them())
thread = threading.Thread(target=run); thread.start(); thread.join(30)
"""

    async def job(learner):
        async with learner.kernel(NAME) as kernel:
            return await evaluate(kernel, code)

    found = work(room, "eve", job)
    assert found[2] == 200, found
    assert set(found[:2] + found[3:5]) <= {403, 404}, found


def test_the_hub_does_not_read_what_is_too_long(room):
    code = """
import socket
with socket.socket(socket.AF_UNIX) as line:
    line.settimeout(20)
    line.connect("/run/course/hub.sock")
    line.sendall(b"POST /hub/api/users HTTP/1.1\\r\\nHost: hub\\r\\n"
                 b"Content-Length: 90000000\\r\\n\\r\\n")
    found = line.recv(100).decode()
"""

    async def job(learner):
        async with learner.kernel(NAME) as kernel:
            return await evaluate(kernel, code)

    assert work(room, "eve", job).startswith("HTTP/1.1 400")


def test_no_process_of_a_session_holds_a_socket_of_the_machines_network(room):
    code = """
import ctypes, os, socket
PIDFD_GETFD, NETNS_COOKIE = 438, 71
def network(one):
    return one.getsockopt(socket.SOL_SOCKET, NETNS_COOKIE, 8)
own, inside, outside = network(socket.socket()), 0, 0
for pid in filter(str.isdecimal, os.listdir("/proc")):
    target = os.pidfd_open(int(pid))
    for number in os.listdir(f"/proc/{pid}/fd"):
        got = ctypes.CDLL(None).syscall(PIDFD_GETFD, target, int(number), 0)
        if got >= 0 and os.readlink(f"/proc/self/fd/{got}").startswith("socket:"):
            one = socket.socket(fileno=got)
            if one.family != socket.AF_UNIX:
                inside += network(one) == own
                outside += network(one) != own
found = inside, outside
"""

    async def job(learner):
        async with learner.kernel(NAME) as kernel:
            return await evaluate(kernel, code)

    inside, outside = work(room, "bob", job)
    assert inside > 2  # the kernel's own are seen
    assert outside == 0


async def sign_in_status(room, http, name, password):
    """The status of an attempt to sign in: 302 where it is let in."""
    async with http.get(f"{room.url}/hub/login") as page:
        text = await page.text()
    mark = text.partition('name="_xsrf" value="')[2].partition('"')[0]
    form = {"username": name, "password": password, "_xsrf": mark}
    async with http.post(
        f"{room.url}/hub/login", data=form, allow_redirects=False
    ) as answer:
        return answer.status, await answer.text()


def test_wrong_passwords_are_few_and_strange_names_do_no_harm(room):
    async def attack():
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(cookie_jar=jar) as http:
            wrong = [
                await sign_in_status(room, http, "teacher", f"wrong{i}")
                for i in range(6)
            ]
            right = await sign_in_status(
                room, http, "teacher", room.password("teacher")
            )
            script = "<script>alert(1)</script>"
            strange = [
                await sign_in_status(room, http, name, "x" * length)
                for name, length in ((script, 8), ("../ada", 8), ("ada", 10**5))
            ]
            async with http.get(f"{room.url}/hub/signup") as page:
                return wrong, right, strange, page.status

    wrong, right, strange, signup = asyncio.run(attack())
    assert [status for status, _ in wrong[:5]] == [403] * 5
    assert wrong[5][0] == right[0] == 429
    assert "Too many wrong passwords" in right[1]
    assert [status for status, _ in strange] == [403] * 3
    assert "<script>alert(1)" not in strange[0][1]
    assert signup == 404
    assert asked(room, "ada", ("GET", "/hub/api/users/ada")) == [200]


MUCH = 1900 * 2**20
HOLDS = "\nimport time; time.sleep(60)"
GREEDY = {
    "own": f"kept = bytearray(b'x') * {MUCH}",
    "shared": f"""
import mmap
kept = mmap.mmap(-1, {MUCH})
while kept.tell() < {MUCH}:
    kept.write(bytes(2**20))""",
    "hidden": f"""
import ctypes
ctypes.CDLL(None).prctl(4, 0)  # PR_SET_DUMPABLE
kept = bytearray(b'x') * {MUCH}""",
}
HOARDING = """
import os
for _ in range(12):
    if os.fork() == 0:
        kept = [os.eventfd(0) for _ in range(900)]
        import time; time.sleep(60)"""

FILLING = """
with open("/home/jovyan/fill", "wb") as file:
    for _ in range(300):
        file.write(bytes(2**20))
        file.flush()"""


@pytest.mark.parametrize("greedy", GREEDY.values(), ids=GREEDY)
def test_too_much_memory_ends_a_kernel_and_nothing_else(room, greedy):
    before = said(room).count("bob: ")

    async def job(learner):
        async with learner.kernel(NAME) as first, learner.kernel(NAME) as second:
            await first.run("mine = 'still here'")
            eating = asyncio.create_task(second.run(greedy + HOLDS))
            while said(room).count("bob: ") == before:
                await asyncio.sleep(0.2)
            eating.cancel()
            return [(await first.run("print(mine)")).text for _ in "12"]

    told, quiet = work(room, "bob", job)
    assert "1.6 GB are allowed" in told and told.endswith("still here\n")
    assert quiet == "still here\n"


def test_who_opens_too_many_files_loses_a_process(room):
    async def job(learner):
        async with learner.kernel(NAME) as kernel:
            await kernel.run(HOARDING)
            while "files were open" not in said(room):
                await asyncio.sleep(0.2)
            return (await kernel.run("print('here')")).text

    told = work(room, "bob", job)
    assert "More than 10,000 files were open" in told
    assert told.endswith("here\n")


def test_who_fills_the_disk_loses_the_process_that_writes_and_nothing_else(room):
    async def job(learner):
        async with learner.kernel(NAME) as first, learner.kernel(NAME) as second:
            await first.run("mine = 'still here'")
            filling = asyncio.create_task(second.run(FILLING + HOLDS))
            while "Your folder has" not in said(room):
                await asyncio.sleep(0.2)
            filling.cancel()
            (room.folders.home("eve") / "fill").unlink()
            return (await first.run("print(mine)")).text

    told = work(room, "eve", job)
    assert "0.2 GB and 50,000 files are allowed: the process that wrote most" in told
    assert told.endswith("still here\n")


def said(room):
    """What the hub said."""
    return supervision.last_words(room.folders, "hub", 1000)


def test_clusters_of_the_whole_room_wait_for_one_turn(room):
    code = """
import time
from course.runs.cluster import turn
begun = time.monotonic()
turn.Turn().end()
found = time.monotonic() - begun
"""

    async def job(learner):
        async with learner.kernel(NAME) as kernel:
            greedy = [socket.socket(socket.AF_UNIX) for _ in range(20)]
            for each in greedy:  # another session: it never leaves, and asks for more
                each.connect(str(room.folders.queue))
            waited = await evaluate(kernel, code)
            for each in greedy:
                each.close()
            return waited, await evaluate(kernel, code)

    waited, free = work(room, "bob", job)
    # its twenty places count as one: the others would wait for twenty turns
    assert free < waited < 10 * turns.SECONDS


def reached(room):
    """Whether the proxy knows the way to a learner's server again."""
    with (
        contextlib.suppress(OSError, ValueError),  # it may be the hub that answers
        urllib.request.urlopen(f"{room.url}/user/bob/api", timeout=5) as answer,
    ):
        return "version" in json.load(answer)


def test_the_proxy_and_the_live_view_come_back_and_kernels_live(room):
    def is_back():
        pages = ("GET", "/user/bob/api/status"), ("GET", "/services/room/me")
        return room.answers() and asked(room, "bob", *pages) == [200, 200]

    async def job(learner):
        async with learner.kernel(NAME) as kernel:
            await kernel.run("kept = 3")
            for name in ("proxy", "room"):
                os.kill(room.pid_of(name), signal.SIGKILL)
            await asyncio.to_thread(wait, room.answers)
            await asyncio.to_thread(wait, lambda: reached(room))
            await kernel.connect()
            return await evaluate(kernel, "found = kept")

    assert work(room, "bob", job) == 3
    wait(is_back)


def test_work_goes_on_while_the_hub_is_dead_and_it_comes_back(room):
    before = room.pid_of("hub")

    async def job(learner):
        async with learner.kernel(NAME) as kernel:
            await kernel.run("kept = 41")
            os.kill(before, signal.SIGKILL)
            found = await evaluate(kernel, "found = kept + 1")
            notebook = await learner.get(NAME)
            notebook.cells[0].source = "mine"
            await learner.save(NAME, notebook)
            return found

    assert work(room, "ada", job) == 42
    wait(lambda: room.answers() and room.pid_of("hub") != before)
    running = {each.pid for each in sessions.walls(room.folders)}
    notebook = work(room, "ada", lambda learner: learner.get(NAME))
    assert notebook.cells[0].source == "mine"
    assert {each.pid for each in sessions.walls(room.folders)} == running


def test_kernels_start_again_after_the_process_they_are_forked_from_died(room):
    zygote = room.pid_of("zygote")

    async def job(learner):
        async with learner.kernel(NAME) as before:
            await before.run("kept = 1")
            os.kill(zygote, signal.SIGKILL)
            async with learner.kernel(NAME) as after:
                return [
                    await evaluate(before, "found = kept"),
                    await evaluate(after, "found = 2"),
                ]

    assert work(room, "eve", job) == [1, 2]


def test_who_came_late_gets_an_account_while_the_others_work(room):
    async def job(learner):
        async with learner.kernel(NAME) as kernel:
            await kernel.run("kept = 7")
            said = await asyncio.to_thread(room.workshop, "add", "late")
            return said, await evaluate(kernel, "found = kept")

    said, kept = work(room, "ada", job)
    assert f"late: late  {room.password('late')}" in said and "works on" in said
    assert kept == 7
    assert work(room, "late", lambda learner: learner.get(NAME)).cells
    assert "has an account" in room.workshop("add", "late", fails=True)


def test_a_second_workshop_in_the_same_folder_is_refused(room):
    said = room.workshop("start", "--instructor", "teacher", fails=True)
    assert "runs in" in said


def test_stop_leaves_nothing_running_and_the_next_start_finds_everything(room):
    password = room.password("ada")

    async def change(learner):
        notebook = await learner.get(NAME)
        notebook.cells[0].source = "kept"
        await learner.save(NAME, notebook)

    work(room, "ada", change)
    assert "Stopped" in room.workshop("stop")
    commands = [
        " ".join(each.info["cmdline"] or ())
        for each in psutil.process_iter(["cmdline"])
    ]
    assert [each for each in commands if str(room.folder) in each] == []
    assert "does not run" in room.workshop("status", fails=True)

    words = ("--instructor", "teacher", "--port", str(room.port))
    room.workshop("start", *words)
    assert room.password("ada") == password
    notebook = work(room, "ada", lambda learner: learner.get(NAME))
    assert notebook.cells[0].source == "kept"
    said = room.workshop("status")
    assert "hub" in said and f"{room.url}/services/room/day" in said
    assert f"You are teacher, password {room.password('teacher')}" in said
