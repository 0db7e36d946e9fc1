"""Names, lists and first passwords of a workshop."""

import asyncio
import os
import re
import socket
import time
from types import SimpleNamespace

import aiohttp
import pytest
from jupyterhub import handlers as hub
from jupyterhub import orm
from tornado.httpclient import AsyncHTTPClient
from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPHeaders
from tornado.netutil import bind_unix_socket
from tornado.testing import bind_unused_port
from tornado.web import Application, HTTPError, RequestHandler
from workshop_room import running_room

from autograder.places import CourseError
from workshop import account_pages, accounts, options
from workshop.folders import Folders
from workshop.names import Person


def test_first_passwords_are_drawn_once_and_read_by_this_user_only(tmp_path):
    folders = Folders(tmp_path / "room")
    folders.make()
    first = accounts.add(folders, [Person("teacher"), Person("ada")])
    assert accounts.known(folders) == first
    assert os.stat(folders.accounts).st_mode & 0o077 == 0
    second = accounts.add(folders, map(Person, ("teacher", "bob", "ada")))
    assert {name: second[name] for name in first} == first
    passwords = {each.password for each in second.values()}
    assert len(passwords) == 3 and {len(each) for each in passwords} == {14}


@pytest.mark.parametrize(
    "name", ["", "-a", ".a", "a b", "A", "a+b", "a/b", "ä", "a\n", "a."]
)
def test_names_that_could_be_taken_for_something_else_are_refused(name):
    with pytest.raises(CourseError):
        options.check_name(name)


@pytest.mark.parametrize("name", ["teacher.", "ada-", "ada_", "a..", f"{'a' * 31}."])
def test_names_that_look_like_another_are_refused(name):
    with pytest.raises(CourseError, match="the last a letter"):
        options.check_name(name)


@pytest.mark.parametrize("name", ["a", "4", "a.b-c_d", "a" * 32])
def test_names_may_have_points_and_lines_within(name):
    assert options.check_name(name) == name


def test_a_folder_too_deep_for_a_socket_is_named(tmp_path):
    with pytest.raises(CourseError, match="--data"):
        Folders(tmp_path / ("deep" * 30)).make()


def test_options_come_back_as_they_were_saved(tmp_path):
    folders = Folders(tmp_path / "room")
    folders.make()
    chosen = options.Options("/course", "teacher", port=8001, secret="s")
    chosen.save(folders)
    assert options.load(folders) == chosen
    folders.options.write_text("{")
    with pytest.raises(CourseError, match="can't be read"):
        options.load(folders)


def served(tmp_path, *pages):
    """Serve pages as the hub does; return the TCP port and the Unix socket's path."""
    server = HTTPServer(Application(pages), xheaders=True)
    listening, port = bind_unused_port()
    server.add_socket(listening)
    path = str(tmp_path / "hub.sock")
    server.add_socket(bind_unix_socket(path))
    return server, port, path


def test_an_address_is_what_its_sender_cannot_choose(tmp_path):
    class Address(RequestHandler):
        def get(self):
            self.finish(account_pages.address_of(self.request))

    forged = {"X-Real-Ip": "10.9.0.1", "X-Forwarded-For": "10.9.0.2, 10.1.1.1"}

    async def ask():
        server, port, path = served(tmp_path, ("/", Address))
        url = f"http://127.0.0.1:{port}/"
        answers = []
        async with aiohttp.ClientSession() as tcp:
            for headers in ({}, {"X-Real-Ip": "10.9.0.1"}, forged):
                async with tcp.get(url, headers=headers) as answer:
                    answers.append(await answer.text())
        connector = aiohttp.UnixConnector(path)
        async with aiohttp.ClientSession(connector=connector) as unix:
            for headers in ({}, forged):
                async with unix.get("http://hub/", headers=headers) as answer:
                    answers.append(await answer.text())
        server.stop()
        return answers

    assert asyncio.run(ask()) == [
        "127.0.0.1",
        "127.0.0.1",
        "10.1.1.1",
        "a session",
        "a session",
    ]


@pytest.fixture
def room_accounts():
    """Accounts of a teacher and of ada, without a hub."""
    db = orm.new_session_factory("sqlite:///:memory:")()
    listed = {"teacher": "teachers-own", "ada": "adas-own-one"}
    yield accounts.Accounts(db=db, listed=listed, enable_signup=True, open_signup=True)
    db.close()


def came_from(address):
    """A handler of the hub, as far as signing in looks at it."""
    context = SimpleNamespace(address_family=socket.AF_INET, address=("127.0.0.1", 1))
    return SimpleNamespace(
        request=SimpleNamespace(
            connection=SimpleNamespace(context=context),
            headers=HTTPHeaders({"X-Forwarded-For": address, "X-Real-Ip": "10.0.0.9"}),
        )
    )


async def sign_in(room_accounts, address, name, password):
    """Return the name, None, or the sentence of a refusal."""
    data = {"username": name, "password": password}
    try:
        return await room_accounts.authenticate(came_from(address), data)
    except HTTPError as refused:
        return refused.log_message


def test_who_locks_a_name_out_does_so_from_one_address(room_accounts):
    async def attack():
        there = [
            await sign_in(room_accounts, "10.0.0.1", "teacher", f"wrong{i}")
            for i in range(6)
        ]
        there.append(
            await sign_in(room_accounts, "10.0.0.1", "teacher", "teachers-own")
        )
        other = await sign_in(room_accounts, "10.0.0.1", "ada", "adas-own-one")
        here = await sign_in(room_accounts, "10.0.0.2", "teacher", "teachers-own")
        return there, other, here

    there, other, here = asyncio.run(attack())
    assert there == [None] * 5 + ["Too many wrong passwords. Wait a minute."] * 2
    assert (other, here) == ("ada", "teacher")


def test_wrong_passwords_at_once_are_no_more_than_one_after_the_other(room_accounts):
    async def attack():
        tries = [
            sign_in(room_accounts, "10.0.0.1", "ada", f"wrong{i}") for i in range(20)
        ]
        return await asyncio.gather(*tries)

    assert asyncio.run(attack()).count(None) == account_pages.TRIES


def test_sixty_wrong_names_end_the_tries_of_one_address(room_accounts):
    async def attack():
        wrong = [
            await sign_in(room_accounts, "10.0.0.1", f"no{i}" + "-" * (i % 2), "wrong")
            for i in range(61)
        ]
        here = await sign_in(room_accounts, "10.0.0.2", "ada", "adas-own-one")
        return wrong, here

    wrong, here = asyncio.run(attack())
    assert wrong == [None] * 60 + ["Too many wrong tries from here. Wait a minute."]
    assert here == "ada"


def test_a_registration_hashes_for_as_short_as_a_first_password(room_accounts):
    made = room_accounts.create_user("kevin", "kevins-own-1")
    assert (made.is_authorized, made.password[:7]) == (True, b"$2b$10$")
    for name, password in (
        ("kevin", "kevins-own-1"),
        ("teacher.", "kevins-own-1"),
        ("eve", "short"),
        ("eve", "ä" * 40),
    ):
        assert room_accounts.create_user(name, password) is None
    assert asyncio.run(sign_in(room_accounts, "10.0.0.1", "kevin", "kevins-own-1"))


class Page(RequestHandler):
    """Changes something by GET."""

    async def prepare(self):
        pass

    def get(self):
        self.finish("changed")

    def post(self):
        self.finish("changed")


@pytest.mark.parametrize(
    "headers, status",
    [
        ({"Sec-Fetch-Dest": "document", "Accept": "text/html,*/*"}, 200),
        ({"Sec-Fetch-Dest": "image", "Accept": "image/png,*/*"}, 403),
        ({"Sec-Fetch-Dest": "empty", "Accept": "text/html"}, 403),
        ({"Sec-Fetch-Dest": "iframe", "Accept": "text/html"}, 403),
        ({"Sec-Fetch-Dest": "", "Authorization": "token t"}, 403),
        ({"Accept": "image/avif,image/webp,*/*;q=0.8"}, 403),
        ({"Accept": "text/html,image/avif,*/*;q=0.8"}, 200),
        ({"Accept": "*/*"}, 403),
        ({"Accept": "*/*", "Authorization": "token t"}, 200),
    ],
)
def test_a_picture_changes_nothing(tmp_path, headers, status):
    async def ask():
        server, port, _ = served(tmp_path, ("/", account_pages.opened_only(Page)))
        url, client = f"http://127.0.0.1:{port}/", AsyncHTTPClient(force_instance=True)
        got = await client.fetch(url, headers=headers, raise_error=False)
        posted = await client.fetch(url, method="POST", body="", raise_error=False)
        client.close()
        server.stop()
        return got.code, posted.code

    assert asyncio.run(ask()) == (status, 200)


def test_all_pages_that_change_by_get_are_for_who_opens_them(room_accounts):
    pages = room_accounts.get_handlers(None)
    guarded = {
        path for path, page in pages if issubclass(page, account_pages.OpenedOnly)
    }
    assert guarded >= {"/discard/([^/]*)", "/authorize/([^/]*)", "/logout"}
    assert guarded >= {"/spawn", "/spawn/([^/]+)", "/confirm/([^/]*)"}
    assert dict(pages)["/login"] is hub.login.LoginHandler


PICTURE = {"Sec-Fetch-Dest": "image", "Sec-Fetch-Mode": "no-cors"}
OPENED = {"Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate"}
SAME = {"Sec-Fetch-Site": "same-origin"}


@pytest.mark.prove
@pytest.mark.xdist_group("workshop")
def test_a_room_that_registers_stands_an_attack():
    words = ("--register", "approve")
    with running_room(("02_replicas_drift_apart",), ("ada",), *words) as room:
        asyncio.run(attack_sign_in(room))


def browser(**headers):
    """A browser of its own."""
    jar = aiohttp.CookieJar(unsafe=True)
    return aiohttp.ClientSession(cookie_jar=jar, headers=headers)


async def post_form(room, path, fields, **headers):
    """Fill in a form in a new browser; return the status and what the page says."""
    async with browser(**headers) as http:
        return await fill_in(room, http, path, fields)


async def fill_in(room, http, path, fields, page=""):
    """Send a form, with the mark of its page, or of another page."""
    async with http.get(f"{room.url}/hub/{page or path}") as page:
        mark = re.search(r'name="_xsrf" value="([^"]+)"', await page.text())[1]
    url = f"{room.url}/hub/{path}"
    form = {**fields, "_xsrf": mark}
    async with http.post(url, data=form, allow_redirects=False) as answer:
        return answer.status, await answer.text()


def registration(name):
    fields = ("signup_password", "signup_password_confirmation")
    return {"username": name} | dict.fromkeys(fields, "a-long-night-1843")


async def attack_sign_in(room):
    # many registrations at once: a class comes in, and the form stays quick
    coming = [
        asyncio.create_task(post_form(room, "signup", registration(f"eve{i}")))
        for i in range(70)
    ]
    slowest = 0.0
    async with browser() as http:
        while not all(task.done() for task in coming):
            began = time.perf_counter()
            async with http.get(f"{room.url}/hub/login") as page:
                await page.read()
            slowest = max(slowest, time.perf_counter() - began)
            await asyncio.sleep(0.1)
    statuses = [(await task)[0] for task in coming]
    assert (statuses.count(200), statuses.count(429)) == (60, 10)
    assert slowest < 2.5, slowest

    # a picture in what the instructor reads
    password = {"username": "teacher", "password": room.password("teacher")}
    own = {"username": "eve1", "password": "a-long-night-1843"}
    async with browser() as teacher:
        assert (await fill_in(room, teacher, "login", password))[0] == 302
        for path in ("authorize/eve1", "discard/eve1", "logout", "spawn/ada"):
            picture = f"{room.url}/hub/{path}"
            async with teacher.get(picture, headers=PICTURE | SAME) as answer:
                text = await answer.text()
                assert (answer.status, "open yourself" in text) == (403, True)
        status, text = await post_form(room, "login", own)
        assert (status, "not approved this account" in text) == (403, True)
        # all who wait, but not who registers after the page was shown
        async with teacher.get(f"{room.url}/hub/authorize", headers=OPENED) as answer:
            text = await answer.text()
        waiting = re.findall(r'name="name" value="(\w+)"', text)
        assert f"Approve all who wait ({len(waiting)})" in text
        assert {"eve1", "eve2"} <= set(waiting) and "ada" not in waiting
        form = {"name": "eve2"}
        assert (await fill_in(room, teacher, "authorize", form))[0] == 303
        two = {"username": "eve2", "password": "a-long-night-1843"}
        assert (await post_form(room, "login", two))[0] == 302
        assert (await post_form(room, "login", own))[0] == 403
        async with browser() as other:
            assert (await fill_in(room, other, "login", two))[0] == 302
            sent = await fill_in(room, other, "authorize", form, "change-password")
            assert sent[0] == 403
        # the hub knows at once whom the command let in
        third = next(name for name in waiting if name not in ("eve1", "eve2"))
        three = {**two, "username": third}
        assert (await post_form(room, "login", three))[0] == 403
        said = await asyncio.to_thread(room.workshop, "approve", third)
        assert said == f"Let in: {third}.\n"
        assert (await post_form(room, "login", three))[0] == 302
        click = f"{room.url}/hub/authorize/eve1"
        async with teacher.get(click, headers=OPENED | SAME) as answer:
            assert (answer.status, "eve1" in await answer.text()) == (200, True)
        assert (await post_form(room, "login", own))[0] == 302
        wrong = {"old_password": "x", "new_password": "y" * 9}
        wrong["new_password_confirmation"] = "y" * 9
        said = [
            (await fill_in(room, teacher, "change-password", wrong))[0]
            for _ in range(account_pages.TRIES + 1)
        ]
        assert said == [200] * account_pages.TRIES + [429]
        leave = f"{room.url}/hub/logout"
        async with teacher.get(leave, headers=OPENED | SAME) as answer:
            assert answer.url.path == "/hub/login"

    # addresses that a browser makes up
    def guess(i):
        forged = {"X-Real-Ip": f"10.9.0.{i}", "X-Forwarded-For": f"10.8.0.{i}"}
        fields = {"username": "ada", "password": "wrong"}
        return post_form(room, "login", fields, **forged)

    said = [(await guess(i))[0] for i in range(7)]
    assert said == [403] * 5 + [429] * 2
